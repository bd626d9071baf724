-- The ground of all integrations: what was connected, what came in, what goes out, and what it is called at the other side.

-- A connection to another system: a mailbox, a Slack workspace. The row stays when it is disconnected, so that the same place
-- connected again finds its threads; its credentials do not.
create table authorizations (
  account_id   uuid not null references accounts (id) on delete cascade,
  id           uuid not null,
  integration  text not null,
  inbox_id     uuid,
  user_id      integer,
  -- Tells several of one integration in one inbox apart: a Slack workspace, the user of a personal mailbox. Usually empty.
  slot         text not null default '',
  -- What people know it by: an e-mail address, a channel.
  label        text not null,
  -- What inbound events are routed by. No two accounts have the same.
  address      text,
  scope        text,
  token_type   text,
  settings     jsonb not null default '{}',
  -- How far it was read.
  cursor       jsonb,
  state        text not null default 'connected' check (state in ('connected', 'broken')),
  way_in       text not null default 'none' check (way_in in ('live', 'polled', 'called', 'none')),
  last_in_at   timestamptz(3),
  last_out_at  timestamptz(3),
  last_ok_at   timestamptz(3),
  -- The last problem, as a sentence for people.
  problem      text,
  problem_at   timestamptz(3),
  failures     integer not null default 0,
  -- The other side asked for a rest.
  paused_until timestamptz(3),
  removed_at   timestamptz(3),
  created_at   timestamptz(3) not null default now(),
  updated_at   timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, inbox_id) references inboxes (account_id, id) on delete set null (inbox_id),
  foreign key (account_id, user_id) references users (account_id, id) on delete set null (user_id)
);
create unique index authorizations_place on authorizations (account_id, integration, inbox_id, slot) nulls not distinct
  where removed_at is null;
create unique index authorizations_address on authorizations (integration, address) where removed_at is null;

-- Apart from their authorization, because they are wiped when it is removed, and when no key can decrypt them.
create table authorization_credentials (
  account_id       uuid not null,
  authorization_id uuid not null,
  encrypted        bytea not null,
  primary key (account_id, authorization_id),
  foreign key (account_id, authorization_id) references authorizations (account_id, id) on delete cascade
);

-- A conversation as it is known elsewhere. Replies go to its origin; at a mirror the team answers.
create table external_threads (
  account_id       uuid not null,
  id               uuid not null,
  authorization_id uuid not null,
  conversation_id  uuid not null,
  role             text not null check (role in ('origin', 'mirror')),
  place            text not null default '',
  thread           text not null,
  permalink        text,
  created_at       timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, authorization_id) references authorizations (account_id, id) on delete cascade,
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade
);
create unique index external_threads_place on external_threads (account_id, authorization_id, place, thread);
create index external_threads_of_conversation on external_threads (account_id, conversation_id);

-- What a message is called elsewhere: the guard against echoes and repeats.
create table external_messages (
  account_id       uuid not null,
  authorization_id uuid not null,
  place            text not null default '',
  external_id      text not null,
  -- Stays when the message is deleted, so that it can be taken back elsewhere, too.
  message_id       uuid,
  direction        text not null check (direction in ('in', 'out')),
  created_at       timestamptz(3) not null default now(),
  primary key (account_id, authorization_id, place, external_id),
  foreign key (account_id, authorization_id) references authorizations (account_id, id) on delete cascade
);
create index external_messages_of_message on external_messages (account_id, message_id);

-- Who somebody is elsewhere: a customer, or somebody of the team.
create table external_identities (
  account_id  uuid not null references accounts (id) on delete cascade,
  id          uuid not null,
  integration text not null,
  external_id text not null,
  customer_id uuid,
  user_id     integer,
  name        text,
  email       text,
  photo       text,
  fetched_at  timestamptz(3),
  created_at  timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, customer_id) references customers (account_id, id) on delete cascade,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create unique index external_identities_external on external_identities (account_id, integration, external_id);
create index external_identities_of_customer on external_identities (account_id, customer_id);

-- What came in, stored before it is acknowledged and worked through queue by queue.
create table inbound_events (
  account_id       uuid not null references accounts (id) on delete cascade,
  id               uuid not null,
  seq              bigint generated always as identity,
  authorization_id uuid,
  integration      text not null,
  key              text not null,
  queue            text not null,
  payload          jsonb,
  -- Where the bytes lie in the store of files, of what is too large for a row.
  file_key         text,
  state            text not null default 'waiting' check (state in ('waiting', 'done', 'ignored', 'failed')),
  reason           text,
  tries            integer not null default 0,
  not_before       timestamptz(3) not null default now(),
  -- While a server works on it. One that died lets go by this.
  taken_until      timestamptz(3),
  -- From here on it holds up its queue for a minute.
  failing_since    timestamptz(3),
  -- Of what was made of it.
  customer_id      uuid,
  conversation_id  uuid,
  message_id       uuid,
  created_at       timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, authorization_id) references authorizations (account_id, id) on delete cascade
);
create unique index inbound_events_key on inbound_events (account_id, integration, key);
create index inbound_events_due on inbound_events (not_before) where state = 'waiting';
create index inbound_events_in_order on inbound_events (account_id, integration, queue, seq) where state = 'waiting';
create index inbound_events_newest on inbound_events (account_id, state, seq desc);
create index inbound_events_of_customer on inbound_events (account_id, customer_id);
create index inbound_events_by_age on inbound_events (created_at);

-- What goes out. Those of one queue go one after the other, by number.
create table deliveries (
  account_id       uuid not null,
  id               uuid not null,
  number           bigint generated always as identity,
  integration      text not null,
  -- Null for what goes by the installation's own mail server.
  authorization_id uuid,
  queue            text not null,
  conversation_id  uuid,
  message_id       uuid,
  kind             text not null check (kind in ('post', 'edit', 'remove', 'status', 'test')),
  payload          jsonb not null default '{}',
  state            text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'dropped')),
  tries            integer not null default 0,
  -- Tries count from here: one that is sent again by hand has its days again.
  begun_at         timestamptz(3) not null default now(),
  not_before       timestamptz(3) not null default now(),
  taken_until      timestamptz(3),
  -- A try began and nobody knows how it ended: the other side is asked before it is sent again.
  is_unsure        boolean not null default false,
  -- As a sentence for people.
  problem          text,
  sent_at          timestamptz(3),
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, authorization_id) references authorizations (account_id, id) on delete cascade,
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade
);
create index deliveries_due on deliveries (not_before) where state = 'waiting';
create index deliveries_in_order on deliveries (account_id, integration, queue, number) where state = 'waiting';
create index deliveries_newest on deliveries (account_id, state, number desc);
create index deliveries_of_conversation on deliveries (account_id, conversation_id, number desc);
create index deliveries_by_age on deliveries (created_at);

-- What one server at a time holds: a long-lived connection. Belongs to no account.
create table leases (
  name       text primary key,
  holder     text not null,
  held_until timestamptz(3) not null
);
