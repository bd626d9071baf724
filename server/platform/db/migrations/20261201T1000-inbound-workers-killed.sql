-- How often an incoming event ended the process that read it, by taking too long or too much memory. After the second
-- time it is set aside.
alter table inbound_events add column workers_killed integer not null default 0;
