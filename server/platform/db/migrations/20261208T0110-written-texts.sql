-- What the language model has written for a conversation, so that the same request about the same conversation is not made
-- twice. Kept for some days.
create table written_texts (
  account_id      uuid not null,
  id              uuid not null,
  conversation_id uuid not null,
  -- A hash of what was asked for, with everything that the model was given.
  request_hash    bytea not null,
  answer          jsonb not null,
  created_at      timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade
);
create unique index on written_texts (account_id, conversation_id, request_hash);
create index on written_texts (created_at);
