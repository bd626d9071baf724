-- Rules of a company: when something happens to a conversation and its conditions hold, its actions are done.
create table rules (
  account_id    uuid not null references accounts (id) on delete cascade,
  id            uuid not null,
  name          text not null,
  -- Rules are examined in this order.
  position      integer not null,
  is_on         boolean not null default false,
  -- {"on": "customer_message"}, or {"on": "waiting_for_team", "minutes": 120, "in_working_hours": true}.
  trigger       jsonb not null,
  -- All of these lists must hold; in each of them one condition is enough.
  conditions    jsonb not null,
  actions       jsonb not null,
  -- Once it matches, no later rule is examined for the same event.
  stops         boolean not null default false,
  -- Why it was switched off: its target was deleted, or it undoes another rule.
  problem       text check (problem in ('target', 'loop', 'chain')),
  created_by_id integer,
  -- Of rules about waiting: conversations that began to wait until then have been looked at.
  swept_until   timestamptz(3),
  created_at    timestamptz(3) not null default now(),
  updated_at    timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, created_by_id) references users (account_id, id) on delete set null (created_by_id)
);

-- What happened to conversations, with their state at that time, so that each rule can say why it did not run.
create table rule_events (
  account_id      uuid not null,
  id              uuid not null,
  conversation_id uuid not null,
  trigger         text not null,
  message_id      uuid,
  -- Of time that passed: the rule whose time it is.
  rule_id         uuid,
  -- Those fields of the conversation that change; texts and the customer are read when they are needed.
  state           jsonb not null,
  -- How many rules and functions led to it, and the last event and rule of them.
  depth           integer not null,
  caused_by       uuid,
  caused_by_rule  uuid,
  -- Their order: several are stored at one time.
  seq             bigint generated always as identity,
  created_at      timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade
);
create index rule_events_of_conversation on rule_events (account_id, conversation_id, seq desc);
create index rule_events_by_age on rule_events (created_at);

-- Rules that matched an event, and what came of it.
create table rule_runs (
  account_id      uuid not null,
  event_id        uuid not null,
  rule_id         uuid not null,
  -- Stays when the rule is deleted.
  rule_name       text not null,
  position        integer not null,
  conversation_id uuid not null,
  state           text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  -- The rule's actions when it matched; what was done, and why the rest was not.
  actions         jsonb not null,
  effects         jsonb not null default '[]',
  -- When it answered the customer.
  answered_at     timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  primary key (account_id, event_id, rule_id),
  foreign key (account_id, event_id) references rule_events (account_id, id) on delete cascade
);
create index rule_runs_of_rule on rule_runs (account_id, rule_id, created_at desc);
create index rule_runs_answered on rule_runs (account_id, conversation_id, answered_at) where answered_at is not null;

-- For whose next message open conversations wait, since when. Kept only where rules ask for it.
create table conversation_waits (
  account_id      uuid not null,
  conversation_id uuid not null,
  waiting_for     text not null check (waiting_for in ('team', 'customer')),
  since           timestamptz(3) not null,
  primary key (account_id, conversation_id),
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade
);
create index conversation_waits_since on conversation_waits (account_id, waiting_for, since);

-- Lists of actions that people run by hand, with a text for the composer. Personal ones belong to a user.
create table macros (
  account_id uuid not null references accounts (id) on delete cascade,
  id         uuid not null,
  name       text not null,
  user_id    integer,
  content    text not null default '',
  actions    jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create unique index macros_by_name on macros (account_id, coalesce(user_id, 0), lower(name));
