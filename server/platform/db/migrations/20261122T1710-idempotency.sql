-- What programs were answered when they named an idempotency key, so that a repeat changes nothing and gets the same answer.
create table idempotent_requests (
  account_id   uuid not null references accounts (id) on delete cascade,
  id           uuid not null,
  user_id      integer not null,
  -- Of the key that the program chose, together with who calls.
  key_hash     bytea not null,
  -- Of method, path and body: the same key for something else is a mistake.
  request_hash bytea not null,
  created_at   timestamptz(3) not null default now(),
  -- Null while the request is being carried out.
  status       smallint,
  -- Encrypted: the answer may hold a secret that is shown once, and what customers wrote. Null once it was erased.
  answer       bytea,
  primary key (account_id, id),
  unique (account_id, key_hash)
);
create index idempotent_requests_by_age on idempotent_requests (created_at);
