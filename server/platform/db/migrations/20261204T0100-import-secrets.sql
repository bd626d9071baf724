-- The secret from which an import derives the ids of its rows, so that a second run finds those of the first. Each company
-- that was moved has a copy.
create table import_secrets (
  account_id uuid not null references accounts (id) on delete cascade,
  -- Where it was moved from, such as `chatwoot`.
  product    text not null,
  -- Encrypted.
  secret     bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, product)
);
