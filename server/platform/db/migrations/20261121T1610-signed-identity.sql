-- What a website signs its visitors' names with. The key itself is needed to check a signature, so it is kept, encrypted
-- with the installation's key.
create table identity_secrets (
  account_id uuid not null,
  id         uuid not null,
  inbox_id   uuid not null,
  sealed     bytea not null,
  -- The last characters, by which people tell their secrets apart.
  hint       text not null,
  created_at timestamptz(3) not null default now(),
  -- After a newer one was made, for as long as websites need to take it up. Null: in use.
  retires_at timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, inbox_id) references inboxes (account_id, id) on delete cascade
);
create index identity_secrets_of_inbox on identity_secrets (account_id, inbox_id, created_at desc);

-- Since when an external id stands for somebody whom the website vouched for, and who then is heard about alone.
alter table customers add column identity_proven_at timestamptz(3);

-- A visitor who proves to be somebody known brings along what was said before: nobody of the team merged them.
alter table customer_merges alter column user_id drop not null;
