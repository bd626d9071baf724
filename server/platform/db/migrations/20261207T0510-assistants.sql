-- Whether programs may connect as assistants, and whether their replies leave without a person's press.
create table assistant_settings (
  account_id uuid primary key references accounts (id) on delete cascade,
  is_enabled boolean not null default false,
  may_send   boolean not null default false
);

-- What a user has allowed one assistant. Its tokens are stored as hashes. Until its client has exchanged the code of the
-- consent, a grant has no tokens.
create table assistant_grants (
  account_id           uuid not null references accounts (id) on delete cascade,
  id                   uuid not null,
  user_id              integer not null,
  client_id            text not null,
  client_name          text not null,
  redirect_host        text not null,
  scopes               text[] not null,
  code_hash            bytea,
  code_expires_at      timestamptz(3),
  code_challenge       text,
  redirect_uri         text,
  access_hash          bytea,
  access_expires_at    timestamptz(3),
  refresh_hash         bytea,
  -- Where the answer of a renewal was lost, the token before is accepted for a moment. Later it counts as stolen.
  earlier_refresh_hash bytea,
  renewed_at           timestamptz(3),
  created_at           timestamptz(3) not null default now(),
  last_used_at         timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create unique index on assistant_grants (code_hash);
create unique index on assistant_grants (access_hash);
create unique index on assistant_grants (refresh_hash);
create index on assistant_grants (earlier_refresh_hash);
create index on assistant_grants (account_id, user_id);
