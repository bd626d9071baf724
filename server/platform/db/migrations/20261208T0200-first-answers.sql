-- When the assistant answers new chats of an inbox first.
alter table inboxes
  add column first_answers text not null default 'never'
    check (first_answers in ('never', 'outside_working_hours', 'nobody_there', 'always'));

-- Where the assistant answers first: whether it still does, a customer was helped, or a person is to go on. Null for
-- conversations that were never its own.
alter table conversations
  add column assistant text check (assistant in ('answering', 'helped', 'handed_over', 'reopened'));
create index conversations_with_assistant on conversations (account_id, last_activity_at) where assistant = 'answering';

-- Whether the assistant wrote it. Null for almost all.
alter table messages add column by_assistant boolean;

-- What the assistant did about a customer's message: at most one row, so no message is answered twice.
create table first_answers (
  account_id uuid not null,
  -- The customer's message.
  message_id uuid not null,
  -- What it wrote; null if it wrote nothing.
  answer_id  uuid,
  kind       text not null check (kind in ('answer', 'asked_back', 'handed_over', 'helped')),
  -- Why a person is to go on.
  reason     text,
  -- The articles that were named: their ids, languages, titles and addresses at that time.
  articles   jsonb not null default '[]',
  created_at timestamptz(3) not null default now(),
  primary key (account_id, message_id),
  foreign key (account_id, message_id) references messages (account_id, id) on delete cascade
);
create index first_answers_newest on first_answers (account_id, created_at desc, message_id desc);
create index first_answers_answer on first_answers (account_id, answer_id);
