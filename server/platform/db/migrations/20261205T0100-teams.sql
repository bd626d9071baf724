-- Groups of users to which conversations may belong, and how these are handed out to them.
create table teams (
  account_id           uuid not null references accounts (id) on delete cascade,
  id                   uuid not null,
  name                 text not null,
  assignment           text not null default 'by_hand' check (assignment in ('by_hand', 'in_turn', 'least_open')),
  -- Every active user is a member, including those who join later.
  has_everybody        boolean not null default false,
  -- How many open conversations a member is given at most, unless their own limit differs. Null for no limit.
  open_limit           integer check (open_limit > 0),
  -- After how many minutes of absence the conversations that wait for an answer go to others. Null for never.
  return_after_minutes integer check (return_after_minutes > 0),
  created_at           timestamptz(3) not null default now(),
  updated_at           timestamptz(3) not null default now(),
  primary key (account_id, id),
  unique (account_id, name)
);

-- The members of a team. In a team of everybody, those with a limit of their own.
create table team_members (
  account_id uuid not null,
  team_id    uuid not null,
  user_id    integer not null,
  open_limit integer check (open_limit > 0),
  primary key (account_id, team_id, user_id),
  foreign key (account_id, team_id) references teams (account_id, id) on delete cascade,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create index team_members_by_user on team_members (account_id, user_id);

-- Whether users can be given conversations: those who use the dashboard now, and are not away.
create table user_availability (
  account_id       uuid not null,
  user_id          integer not null,
  -- Since when they are away, which they say themselves.
  away_at          timestamptz(3),
  -- When they last used a tab of the dashboard, to the minute.
  last_present_at  timestamptz(3),
  -- When they were last given a conversation automatically.
  last_assigned_at timestamptz(3),
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);

-- The team of new conversations of an inbox.
alter table inboxes
  add column team_id uuid,
  add foreign key (account_id, team_id) references teams (account_id, id) on delete set null (team_id);
create index inboxes_by_team on inboxes (account_id, team_id) where team_id is not null;

alter table conversations
  add column team_id uuid,
  add foreign key (account_id, team_id) references teams (account_id, id) on delete set null (team_id);
create index conversations_by_team on conversations (account_id, team_id, status, last_activity_at desc, id desc) where team_id is not null;
-- Those that wait until a member of their team has time, oldest first.
create index conversations_in_queue on conversations (account_id, team_id, created_at, id)
  where team_id is not null and assignee_id is null and status = 'open' and snoozed_at is null and archived_at is null;

-- Who was given a conversation, by whom or why.
create table conversation_assignments (
  account_id      uuid not null,
  conversation_id uuid not null,
  id              uuid not null,
  -- Null: to nobody.
  user_id         integer,
  -- Whose it was before.
  from_user_id    integer,
  -- The person who did it; null if nobody did.
  by_user_id      integer,
  reason          text not null check (reason in ('by_hand', 'in_turn', 'least_open', 'given_back', 'absent', 'reopened')),
  -- How many open conversations the user then had, and how many they may be given.
  open_count      integer,
  open_limit      integer,
  created_at      timestamptz(3) not null default clock_timestamp(),
  primary key (account_id, conversation_id, id),
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade,
  foreign key (account_id, from_user_id) references users (account_id, id) on delete set null (from_user_id),
  foreign key (account_id, by_user_id) references users (account_id, id) on delete set null (by_user_id)
);
