-- Keys by which programs act as the person who made them. Looked up by hash; the value itself is encrypted with the
-- installation's key, because its owner may have it shown again.
create table personal_api_keys (
  account_id   uuid not null,
  id           uuid not null,
  user_id      integer not null,
  label        text not null,
  value_hash   bytea not null unique,
  value        bytea not null,
  -- The last characters, by which people tell their keys apart.
  hint         text not null,
  scope        text not null default 'everything' check (scope in ('read', 'everything')),
  created_at   timestamptz(3) not null default now(),
  -- To within some minutes.
  last_used_at timestamptz(3),
  expires_at   timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create index personal_api_keys_of_user on personal_api_keys (account_id, user_id, created_at desc);
