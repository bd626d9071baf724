-- A merged conversation stays as a pointer to the one that has its messages, which is never merged itself.
alter table conversations
  add column merged_into uuid,
  add foreign key (account_id, merged_into) references conversations (account_id, id) on delete cascade;
create index conversations_merged_into on conversations (account_id, merged_into) where merged_into is not null;

-- Messages were moved from one conversation to another: all of them by a merge, some by a split.
create table conversation_moves (
  account_id uuid not null,
  id         uuid not null,
  kind       text not null check (kind in ('merge', 'split')),
  from_id    uuid not null,
  to_id      uuid not null,
  user_id    integer,
  -- What both conversations were before, and what else was moved, so that it can be undone.
  before     jsonb not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  undone_at  timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, from_id) references conversations (account_id, id) on delete cascade,
  foreign key (account_id, to_id) references conversations (account_id, id) on delete cascade,
  foreign key (account_id, user_id) references users (account_id, id) on delete set null (user_id)
);
create index conversation_moves_from on conversation_moves (account_id, from_id);
create index conversation_moves_to on conversation_moves (account_id, to_id);

-- Where the messages of a move were before: those of both conversations, because their numbers changed as well.
create table moved_messages (
  account_id      uuid not null,
  move_id         uuid not null,
  message_id      uuid not null,
  conversation_id uuid not null,
  number          integer not null,
  created_at      timestamptz(3) not null default clock_timestamp(),
  primary key (account_id, move_id, message_id),
  foreign key (account_id, move_id) references conversation_moves (account_id, id) on delete cascade,
  foreign key (account_id, message_id) references messages (account_id, id) on delete cascade
);
create index moved_messages_of_message on moved_messages (account_id, message_id);
