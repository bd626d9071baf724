-- A rule is not applied to what happened before it was switched on, although the log is read a moment later.
alter table rules add column switched_on_at timestamptz(3);
update rules set switched_on_at = created_at;
alter table rules alter column switched_on_at set default now(), alter column switched_on_at set not null;
