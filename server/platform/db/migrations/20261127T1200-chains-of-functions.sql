-- How many runs of functions led to this one, so that functions which answer each other come to an end.
alter table function_runs add column depth smallint not null default 0;
-- A line of the log for events that were not run because too many waited: how many.
alter table function_runs add column left_out integer;

-- Finds the line of a function without reading its hundred runs.
create index function_runs_left_out on function_runs (account_id, function_id, created_at) where left_out is not null;
