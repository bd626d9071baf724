-- The address people open, chosen in the dashboard. The environment's BASE_URL wins: a server that has one forgets this one.
alter table installation add column base_url text;
