-- Mails that were written, each in the transaction of what it tells of. A job sends them; without a mail server
-- they are kept here for admins to read.

create table mails (
  account_id uuid not null references accounts (id) on delete cascade,
  id         uuid not null,
  kind       text not null,
  recipient  text not null,
  from_name  text,
  reply_to   text,
  subject    text not null,
  text       text not null,
  html       text not null,
  headers    jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  sent_at    timestamptz(3),
  -- The mail server refused it for good.
  failed_at  timestamptz(3),
  failure    text,
  primary key (account_id, id)
);
create index mails_newest on mails (account_id, created_at desc, id desc);
