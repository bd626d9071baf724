-- What Stripe said last of an account: its customer, subscription and card. Only the subscription's plan itself stands in
-- accounts, where its limits are read.
create table billing_accounts (
  account_id uuid primary key references accounts (id) on delete cascade,
  stripe_customer text unique,
  -- Part of the idempotency keys of calls that write: it stays while it is not known how a call ended.
  attempt integer not null default 0,
  attempted_at timestamptz,
  -- Readings of Stripe are numbered when they begin. One that began before what is stored here is not stored.
  last_reading integer not null default 0,
  stored_reading integer not null default 0,
  -- In the shape of the contract; null is none.
  subscription jsonb,
  product jsonb,
  payment_method jsonb,
  -- Where a payment that failed, or needs its owner's consent, can be made.
  payment_url text,
  had_trial boolean not null default false,
  payment_failed_at timestamptz,
  grace_until timestamptz,
  read_at timestamptz
);

-- Events that Stripe has told, so that each is followed once.
create table billing_events (
  account_id uuid not null references accounts (id) on delete cascade,
  id text not null,
  type text not null,
  received_at timestamptz not null default now(),
  primary key (account_id, id)
);

-- For how many days the plan keeps closed conversations, once its team was warned in time; and what will hold from when.
create table plan_retention (
  account_id uuid primary key references accounts (id) on delete cascade,
  days integer,
  next_days integer,
  next_at timestamptz,
  check ((next_days is null) = (next_at is null))
);
