-- The servers of an installation that run, for whoever looks after them. One that stops takes its row away; one that died is
-- known by the time when it was last seen. Belongs to no account.
create table servers (
  id         uuid primary key,
  -- That of its machine.
  name       text not null,
  version    text not null,
  started_at timestamptz(3) not null,
  seen_at    timestamptz(3) not null default now()
);

-- When `npm run parley -- backup` was last done.
alter table installation add column backed_up_at timestamptz(3);
