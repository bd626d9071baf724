-- People who write in, and the sessions by which a visitor's browser proves to be one of them.

create table customers (
  account_id        uuid not null references accounts (id) on delete cascade,
  id                uuid not null,
  name              text,
  email             text,
  phone             text,
  external_id       text,
  profile_photo_url text,
  first_seen        date not null default current_date,
  last_seen_at      timestamptz(3) not null default now(),
  ip                text,
  time_zone         text,
  host              text,
  pathname          text,
  current_url       text,
  browser           text,
  browser_version   text,
  browser_language  text,
  os                text,
  screen_height     integer,
  screen_width      integer,
  lib               text,
  metadata          jsonb not null default '{}',
  created_at        timestamptz(3) not null default now(),
  updated_at        timestamptz(3) not null default now(),
  primary key (account_id, id)
);
create index customers_id on customers (id);
create unique index customers_external_id on customers (account_id, external_id) where external_id is not null;
create index customers_email on customers (account_id, lower(email)) where email is not null;
create index customers_last_seen on customers (account_id, last_seen_at desc, id desc);

-- A customer with a session was claimed by a browser that can prove it; from then on its id alone opens nothing.
create table visitor_sessions (
  account_id  uuid not null,
  id          uuid not null,
  customer_id uuid not null,
  token_hash  bytea not null,
  user_agent  text,
  created_at  timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  revoked_at  timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, customer_id) references customers (account_id, id) on delete cascade
);
create unique index visitor_sessions_token on visitor_sessions (token_hash);
create index visitor_sessions_customer on visitor_sessions (account_id, customer_id);
