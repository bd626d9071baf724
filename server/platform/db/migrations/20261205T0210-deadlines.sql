-- How soon conversations are answered and resolved. The first active policy of the list that fits a conversation applies.
create table deadline_policies (
  account_id           uuid not null references accounts (id) on delete cascade,
  id                   uuid not null,
  name                 text not null,
  position             integer not null,
  is_active            boolean not null default true,
  -- Which conversations it fits: empty lists and null mean all.
  inbox_ids            uuid[] not null default '{}',
  tag_ids              uuid[] not null default '{}',
  priority             text check (priority in ('not_priority', 'priority')),
  first_reply_minutes  integer check (first_reply_minutes > 0),
  next_reply_minutes   integer check (next_reply_minutes > 0),
  resolution_minutes   integer check (resolution_minutes > 0),
  in_working_hours     boolean not null default true,
  -- Whether the time to the resolution stops while the customer has to answer.
  pauses_while_waiting boolean not null default true,
  warn_minutes         integer check (warn_minutes > 0),
  created_at           timestamptz(3) not null default now(),
  updated_at           timestamptz(3) not null default now(),
  primary key (account_id, id)
);

-- What the team owes the customer of a conversation, and until when. Rows are followed from the event log, with the times
-- of messages and changes. One that has ended (done or cancelled) is history and keeps the policy of its time.
create table deadlines (
  account_id       uuid not null,
  id               uuid not null,
  conversation_id  uuid not null,
  kind             text not null check (kind in ('first_reply', 'next_reply', 'resolution')),
  -- A copy of the policy. Without a target no policy asks for anything, and there is no due time.
  policy_id        uuid,
  policy_name      text,
  target_seconds   integer,
  warn_seconds     integer,
  in_working_hours boolean not null default false,
  pauses_while_waiting boolean not null default false,
  started_at       timestamptz(3) not null,
  -- The time used until it was paused last, and since when it has been running again. Null while paused.
  used_seconds     double precision not null default 0,
  resumed_at       timestamptz(3),
  is_snoozed       boolean not null default false,
  is_waiting       boolean not null default false,
  -- Null while paused, without a target, or if the team never works.
  due_at           timestamptz(3),
  warn_at          timestamptz(3),
  warned_at        timestamptz(3),
  broken_at        timestamptz(3),
  done_at          timestamptz(3),
  cancelled_at     timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade
);
create unique index deadlines_open on deadlines (account_id, conversation_id, kind) where done_at is null and cancelled_at is null;
create index deadlines_by_conversation on deadlines (account_id, conversation_id, started_at);
create index deadlines_by_start on deadlines (account_id, started_at) where target_seconds is not null;
create index deadlines_to_warn on deadlines (warn_at) where warned_at is null and broken_at is null and done_at is null and cancelled_at is null;
create index deadlines_to_break on deadlines (due_at) where broken_at is null and done_at is null and cancelled_at is null;

-- The deadline of a conversation that is due next: when, which one, and since when it has been running. A kind without a
-- time is paused.
alter table conversations add column due_at timestamptz(3);
alter table conversations add column due_kind text check (due_kind in ('first_reply', 'next_reply', 'resolution'));
alter table conversations add column due_started_at timestamptz(3);
create index conversations_due on conversations (account_id, due_at, id)
  where due_at is not null and archived_at is null and snoozed_at is null and status = 'open';
