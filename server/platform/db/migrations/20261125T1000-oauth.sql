-- Connecting through the consent page of a vendor.

-- Who was sent to a consent page, from where, and for what. Such a row is used once, by the same person in the same session.
create table oauth_starts (
  account_id  uuid not null,
  -- SHA-256 of the state that the browser brings back.
  state_hash  bytea not null,
  user_id     integer not null,
  session_id  uuid not null,
  integration text not null,
  -- Which part of it, where there are several: a mailbox of support or of one person.
  type        text not null,
  inbox_id    uuid,
  expires_at  timestamptz(3) not null,
  created_at  timestamptz(3) not null default now(),
  primary key (account_id, state_hash),
  foreign key (account_id, session_id) references auth_sessions (account_id, id) on delete cascade,
  foreign key (account_id, inbox_id) references inboxes (account_id, id) on delete cascade
);
create index oauth_starts_by_age on oauth_starts (expires_at);

-- The app of an account at a vendor, in whose name people are asked for consent. Without one, that of the operator's settings.
create table integration_apps (
  account_id uuid not null references accounts (id) on delete cascade,
  vendor     text not null,
  encrypted  bytea not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, vendor)
);
