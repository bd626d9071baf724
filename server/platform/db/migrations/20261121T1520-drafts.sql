-- What each user is writing in each conversation, so that it follows them from one device to the next.
create table drafts (
  account_id         uuid not null,
  user_id            integer not null,
  conversation_id    uuid not null,
  body               text not null,
  type               text not null check (type in ('reply', 'note')),
  mentioned_user_ids integer[] not null default '{}',
  file_ids           uuid[] not null default '{}',
  -- Made by the device that wrote it; the larger one wins, however late it arrives.
  revision           bigint not null,
  updated_at         timestamptz(3) not null default now(),
  primary key (account_id, user_id, conversation_id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade,
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade
);
create index drafts_of_conversation on drafts (account_id, conversation_id);
-- An emptied draft is remembered for a while, so that a late save of older words does not bring them back.
create index drafts_emptied on drafts (updated_at) where body = '' and file_ids = '{}';

-- A message may come with a form: a header and buttons that its reader can press.
alter table messages add column template jsonb;
