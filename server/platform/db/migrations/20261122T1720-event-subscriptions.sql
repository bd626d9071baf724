-- Addresses of an account's own programs that are told of what happens: webhooks.
create table event_subscriptions (
  account_id      uuid not null references accounts (id) on delete cascade,
  id              uuid not null,
  webhook_url     text not null,
  verified        boolean not null default false,
  events          text[] not null,
  -- Since when nothing but failures came of it. Null: the last try succeeded, or there was none yet.
  failing_since   timestamptz(3),
  -- By a person, or after three days of failures.
  switched_off_at timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (account_id, id)
);

-- What deliveries are signed with, encrypted with the installation's key. After a rotation the older one signs along for a day.
create table webhook_secrets (
  account_id      uuid not null,
  id              uuid not null,
  subscription_id uuid not null,
  secret          bytea not null,
  created_at      timestamptz(3) not null default clock_timestamp(),
  retires_at      timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, subscription_id) references event_subscriptions (account_id, id) on delete cascade
);
create index webhook_secrets_of_subscription on webhook_secrets (account_id, subscription_id);

-- One event on its way to one subscription. Those with the same order_key go one after the other, by seq.
create table webhook_deliveries (
  account_id      uuid not null,
  id              uuid not null,
  seq             bigint generated always as identity,
  subscription_id uuid not null,
  event           text not null,
  customer_id     uuid,
  conversation_id uuid,
  order_key       text not null,
  -- What is sent. Null once its words were deleted.
  body            text,
  state           text not null default 'pending' check (state in ('pending', 'delivered', 'parked')),
  attempts        integer not null default 0,
  -- Tries count from here: a delivery that is sent again has a day again.
  begun_at        timestamptz(3) not null default now(),
  next_attempt_at timestamptz(3) not null default now(),
  -- While a server is sending it. One that died lets go by this.
  leased_until    timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, subscription_id) references event_subscriptions (account_id, id) on delete cascade
);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where state = 'pending';
create index webhook_deliveries_in_order on webhook_deliveries (account_id, subscription_id, order_key, seq) where state = 'pending';
create index webhook_deliveries_newest on webhook_deliveries (account_id, subscription_id, seq desc);
create index webhook_deliveries_of_customer on webhook_deliveries (account_id, customer_id);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);

create table webhook_attempts (
  account_id  uuid not null,
  id          uuid not null,
  delivery_id uuid not null,
  at          timestamptz(3) not null,
  duration_ms integer not null,
  -- Of the answer; null when none came, and then error says why.
  status      smallint,
  error       text,
  -- The first kilobyte.
  answer      text,
  primary key (account_id, id),
  foreign key (account_id, delivery_id) references webhook_deliveries (account_id, id) on delete cascade
);
create index webhook_attempts_of_delivery on webhook_attempts (account_id, delivery_id, at);
