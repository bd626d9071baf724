-- Texts with a short name that agents insert into an answer.
create table saved_replies (
  account_id uuid not null references accounts (id) on delete cascade,
  id         uuid not null,
  name       text not null,
  content    text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  unique (account_id, name)
);
