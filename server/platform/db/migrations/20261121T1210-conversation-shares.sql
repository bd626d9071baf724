-- Links by which somebody without an account may read one conversation for a day. Only the hash of the secret is kept.
create table conversation_shares (
  account_id      uuid not null,
  id              uuid not null,
  conversation_id uuid not null,
  created_by      integer,
  token_hash      bytea not null,
  created_at      timestamptz(3) not null default now(),
  expires_at      timestamptz(3) not null,
  revoked_at      timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade,
  foreign key (account_id, created_by) references users (account_id, id) on delete set null (created_by)
);
create unique index conversation_shares_token on conversation_shares (token_hash);
create index conversation_shares_of_conversation on conversation_shares (account_id, conversation_id);
