-- Names and kinds for keys in the metadata of customers and conversations, where the values are.
create table attribute_definitions (
  account_id  uuid not null references accounts (id) on delete cascade,
  id          uuid not null,
  subject     text not null check (subject in ('customer', 'conversation')),
  key         text not null,
  name        text not null,
  kind        text not null check (kind in ('text', 'number', 'date', 'yes_no', 'choice', 'link')),
  -- What can be chosen; empty for other kinds.
  choices     text[] not null default '{}',
  position    integer not null,
  description text,
  -- Whether the website can neither set nor see values of customers.
  team_only   boolean not null default false,
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  primary key (account_id, id),
  unique (account_id, subject, key)
);
