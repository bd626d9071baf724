-- Replies that are sent later, or that their author can still take back. Sending or cancelling deletes the row.
create table scheduled_messages (
  account_id       uuid not null references accounts (id) on delete cascade,
  -- Also the id of the message that it becomes.
  id               uuid not null,
  conversation_id  uuid not null,
  user_id          integer not null,
  body             text not null,
  file_ids         uuid[] not null default '{}',
  -- What its author chose for the mail: {"to": ["kim@example.com"], "subject": "Your order"}.
  mail             jsonb,
  send_at          timestamptz(3) not null,
  -- It was sent, and can be taken back until then.
  is_undo          boolean not null default false,
  -- What happens if the customer writes before.
  if_answered      text not null default 'hold' check (if_answered in ('hold', 'send')),
  -- What happens to the conversation once it is sent.
  closes           boolean not null default false,
  remind_minutes   integer,
  -- The number of the newest message that its author had seen.
  last_seen_number integer not null,
  -- Why it was not sent at its time; null while it waits for that.
  held_reason      text,
  created_at       timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create index scheduled_messages_of_conversation on scheduled_messages (account_id, conversation_id, send_at);
create index scheduled_messages_of_user on scheduled_messages (account_id, user_id, send_at);
create index scheduled_messages_due on scheduled_messages (send_at) where held_reason is null;
create index scheduled_messages_with_files on scheduled_messages (account_id) where file_ids <> '{}';

-- The seconds in which a sent reply can be taken back; null for as before: five for mails, otherwise none.
alter table user_settings add column undo_seconds integer;

-- Whom a snoozed conversation comes back to unless its customer answers, and since when they wait:
-- {"user_id": 7, "since": "2026-12-05T09:00:00Z"}. Stays when it comes back, so that the reason is seen.
alter table conversations add column follow_up jsonb;
