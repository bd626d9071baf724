-- A tab of a website in which the recorder runs. What happens in it is passed on to whoever watches, and stored nowhere.
create table browser_sessions (
  account_id   uuid not null references accounts (id) on delete cascade,
  -- Unique by itself: recorders of the predecessor know nothing but this id.
  id           uuid not null unique,
  -- Whom the page says to be in it.
  customer_id  uuid,
  -- Of the token that our recorder makes. Without one, as with recorders of the predecessor, the id is the secret.
  token_hash   bytea unique,
  -- What the browser says of itself.
  metadata     jsonb,
  started_at   timestamptz(3) not null default now(),
  finished_at  timestamptz(3),
  -- Since when no recorder is connected; after a minute the session is finished.
  absent_since timestamptz(3),
  created_at   timestamptz(3) not null default now(),
  updated_at   timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, customer_id) references customers (account_id, id)
);
create index browser_sessions_newest on browser_sessions (account_id, updated_at desc, id desc);
create index browser_sessions_customer on browser_sessions (account_id, customer_id, updated_at desc);
create index browser_sessions_open on browser_sessions (account_id) where finished_at is null;
create index browser_sessions_finished on browser_sessions (finished_at) where finished_at is not null;
