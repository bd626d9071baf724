-- Live connections and polls that keep failing: the times (ISO 8601) of their latest failures, and the problem that is shown. It is
-- separate from `problem`, which ends with each message that arrives or is sent between two failures.
alter table authorizations
  add column receiving_failures text[] not null default '{}',
  add column receiving_problem text,
  add column receiving_problem_at timestamptz(3);
