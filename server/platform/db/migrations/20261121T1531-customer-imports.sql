-- Files of customers that are being added, with how far that has come.
create table customer_imports (
  account_id    uuid not null references accounts (id) on delete cascade,
  id            uuid not null,
  user_id       integer not null,
  filename      text not null,
  -- The file itself, until every row of it was worked through.
  content       text,
  columns       text[] not null,
  mapping       jsonb,
  status        text not null default 'waiting' check (status in ('waiting', 'running', 'done')),
  rows_total    integer not null,
  rows_done     integer not null default 0,
  created_count integer not null default 0,
  updated_count integer not null default 0,
  failed_count  integer not null default 0,
  -- Which rows were left out and why; the first few hundred.
  errors        jsonb not null default '[]',
  created_at    timestamptz(3) not null default now(),
  updated_at    timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id)
);
create index customer_imports_newest on customer_imports (account_id, created_at desc, id desc);
