-- What happened, kept for some days, so that a client that was away asks for what it missed.

-- Sequence numbers are given before commit, so a reader that remembers the highest number it saw could skip an event
-- whose transaction commits later. Readers therefore go by transaction id and stop below the oldest one still open.
create table events (
  account_id  uuid not null,
  xid         xid8 not null default pg_current_xact_id(),
  id          bigint generated always as identity,
  -- The customer whose own browser may hear this, or null when it is for the team alone.
  customer_id uuid,
  event       jsonb not null,
  created_at  timestamptz(3) not null default now(),
  primary key (account_id, xid, id)
);
create index events_for_customer on events (account_id, customer_id, xid, id) where customer_id is not null;
create index events_by_age on events (created_at);
