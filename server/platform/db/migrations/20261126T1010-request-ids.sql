-- Which request something follows from, for the log: what an operator looks for begins with an answer's x-request-id. Jobs
-- have it in their payload.
alter table events add column request_id text;
alter table webhook_deliveries add column request_id text;
alter table deliveries add column request_id text;
alter table inbound_events add column request_id text;
alter table function_runs add column request_id text;
