-- Conversations and what is said in them.

create table conversations (
  account_id       uuid not null references accounts (id) on delete cascade,
  id               uuid not null,
  customer_id      uuid not null,
  inbox_id         uuid not null,
  assignee_id      integer,
  source           text not null default 'chat' check (source in ('chat', 'slack', 'email', 'sms', 'api', 'sandbox')),
  subject          text,
  status           text not null default 'open' check (status in ('open', 'closed')),
  priority         text not null default 'not_priority' check (priority in ('not_priority', 'priority')),
  read             boolean not null default false,
  metadata         jsonb,
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  last_activity_at timestamptz(3) not null default now(),
  closed_at        timestamptz(3),
  archived_at      timestamptz(3),
  first_replied_at timestamptz(3),
  -- The number of the newest message; taking the next one locks the row, which puts messages in order.
  last_number      integer not null default 0,
  -- Grows with every change, so that whoever hears two changes in the wrong order can tell.
  version          integer not null default 1,
  -- Users mentioned here who have not looked yet; kept so that the mentions counter can be kept.
  unseen_mention_user_ids integer[] not null default '{}',
  primary key (account_id, id),
  foreign key (account_id, customer_id) references customers (account_id, id) on delete cascade,
  foreign key (account_id, inbox_id) references inboxes (account_id, id),
  foreign key (account_id, assignee_id) references users (account_id, id) on delete set null (assignee_id)
);
create index conversations_id on conversations (id);
create index conversations_by_status on conversations (account_id, status, last_activity_at desc, id desc) where archived_at is null;
create index conversations_by_inbox on conversations (account_id, inbox_id, status, last_activity_at desc, id desc) where archived_at is null;
create index conversations_by_assignee on conversations (account_id, assignee_id, status, last_activity_at desc, id desc) where archived_at is null;
create index conversations_prioritized on conversations (account_id, status, last_activity_at desc, id desc) where archived_at is null and priority = 'priority';
create index conversations_unread on conversations (account_id, status, last_activity_at desc, id desc) where archived_at is null and not read;
create index conversations_by_customer on conversations (account_id, customer_id, created_at desc, id desc);
create index conversations_to_archive on conversations (closed_at) where archived_at is null and status = 'closed';

create table messages (
  account_id      uuid not null,
  id              uuid not null,
  conversation_id uuid not null,
  number          integer not null,
  body            text,
  type            text not null default 'reply' check (type in ('reply', 'note', 'bot')),
  content_type    text not null default 'text',
  private         boolean not null default false,
  source          text not null default 'chat' check (source in ('chat', 'slack', 'mattermost', 'email', 'sms', 'api', 'sandbox')),
  customer_id     uuid,
  user_id         integer,
  metadata        jsonb,
  sent_at         timestamptz(0),
  seen_at         timestamptz(3),
  created_at      timestamptz(3) not null,
  -- The sender makes the id: a repeat meets the stored message instead of a second one.
  primary key (account_id, id),
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade,
  foreign key (account_id, customer_id) references customers (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id)
);
create unique index messages_number on messages (account_id, conversation_id, number);
create index messages_unseen on messages (account_id, conversation_id) where seen_at is null and user_id is not null;

create table mentions (
  account_id      uuid not null,
  id              uuid not null,
  conversation_id uuid not null,
  message_id      uuid not null,
  user_id         integer not null,
  seen_at         timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  primary key (account_id, id),
  unique (account_id, message_id, user_id),
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade,
  foreign key (account_id, message_id) references messages (account_id, id) on delete cascade,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create index mentions_of_user on mentions (account_id, user_id, conversation_id);
create index mentions_in_conversation on mentions (account_id, conversation_id);

create table tags (
  account_id  uuid not null references accounts (id) on delete cascade,
  id          uuid not null,
  name        text not null,
  description text,
  color       text,
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  primary key (account_id, id),
  unique (account_id, name)
);

create table conversation_tags (
  account_id      uuid not null,
  conversation_id uuid not null,
  tag_id          uuid not null,
  created_at      timestamptz(3) not null default now(),
  primary key (account_id, conversation_id, tag_id),
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade,
  foreign key (account_id, tag_id) references tags (account_id, id) on delete cascade
);
create index conversation_tags_by_tag on conversation_tags (account_id, tag_id);
