-- When it was connected last. What had waited for over a day by then is sent only once somebody has said so.
alter table authorizations add column connected_at timestamptz(3);
update authorizations set connected_at = created_at;
alter table authorizations alter column connected_at set not null, alter column connected_at set default clock_timestamp();
