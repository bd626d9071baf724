-- What waits or failed is counted every few seconds, for those who watch an installation. It is little among what went
-- well, so each finds it in an index of its own.
create index webhook_deliveries_parked on webhook_deliveries (account_id) where state = 'parked';
create index deliveries_failed on deliveries (account_id) where state = 'failed';
create index inbound_events_failed on inbound_events (account_id) where state = 'failed';
create index function_runs_failed on function_runs (account_id, created_at) where state = 'failed';
create index mails_unsent on mails (account_id, created_at) where sent_at is null and failed_at is null;
create index mails_failed on mails (account_id) where failed_at is not null;
