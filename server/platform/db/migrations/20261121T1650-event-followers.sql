-- What follows from events is done by readers of the log, who note how far they are. They belong to the installation,
-- not to an account: each reads the events of all.

create table event_followers (
  name text primary key,
  -- Everything up to here is done. Transactions are told in the order of their ids, the events of one by theirs.
  xid  xid8 not null,
  id   bigint not null default 0
);

-- The log in its own order, across accounts. It is pruned in that order too, which is nearly that of age.
create index events_in_order on events (xid, id);
drop index events_by_age;
