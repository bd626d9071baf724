-- The company that set up the installation. Without one, the oldest account: companies that were moved in from another
-- product are older than the installation, and must not take it over.
alter table accounts add column is_operator boolean not null default false;
