-- Tokens that work once, within their time: mailed to somebody to confirm an address or set a new password, or handed
-- to a browser that comes back from a sign-in service.

alter table users add column email_verified_at timestamptz(3);

create table one_time_tokens (
  account_id uuid not null,
  id         uuid not null,
  user_id    integer not null,
  purpose    text not null check (purpose in ('verification', 'password_reset', 'sign_in')),
  token_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at    timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create unique index one_time_tokens_hash on one_time_tokens (token_hash);
create index one_time_tokens_user on one_time_tokens (account_id, user_id);

-- Who did what to the account. Kept when the person is gone, so it names them by number only.
create table audit_entries (
  account_id   uuid not null references accounts (id) on delete cascade,
  id           uuid not null,
  action       text not null,
  user_id      integer,
  subject_id   text,
  subject_name text,
  details      jsonb not null default '{}',
  address      text,
  created_at   timestamptz(3) not null default clock_timestamp(),
  primary key (account_id, id)
);
create index audit_entries_newest on audit_entries (account_id, created_at desc, id desc);

-- A second factor: codes of an authenticator app. The secret is encrypted with the installation's key.
create table two_factors (
  account_id      uuid not null,
  user_id         integer not null,
  secret          bytea not null,
  -- Null until the first code proved that the app knows the secret.
  confirmed_at    timestamptz(3),
  -- The newest time step whose code was taken: a code works once.
  last_step       bigint not null default 0,
  recovery_hashes bytea[] not null default '{}',
  created_at      timestamptz(3) not null default now(),
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);

-- Who somebody is to a sign-in service (OpenID Connect).
create table user_identities (
  account_id uuid not null,
  user_id    integer not null,
  issuer     text not null,
  subject    text not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, user_id, issuer),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create unique index user_identities_subject on user_identities (issuer, subject);
