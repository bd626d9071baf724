-- Saved filters over conversations. Personal ones belong to a user; the others are for the whole team.
create table conversation_views (
  account_id  uuid not null references accounts (id) on delete cascade,
  id          uuid not null,
  name        text not null,
  user_id     integer,
  -- The order in the sidebar, among the shared ones or those of the user.
  position    integer not null,
  -- Lists that all must hold; in each of them one condition is enough.
  conditions  jsonb not null,
  sort        text not null default 'activity' check (sort in ('activity', 'due')),
  -- Whether it asks how long somebody has waited, which is only kept where something needs it (conversation_waits).
  reads_waits boolean not null default false,
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create index conversation_views_reading_waits on conversation_views (account_id) where reads_waits;
