-- Addresses of ours to which a company forwards the mail of an address of its own.

create table forwarding_addresses (
  account_id               uuid not null references accounts (id) on delete cascade,
  id                       uuid not null,
  -- Null: the primary inbox, also where its own was deleted.
  inbox_id                 uuid,
  -- In lower case, and nobody else's: it tells whose a mail is.
  forwarding_email_address text not null unique,
  source_email_address     text not null,
  description              text,
  -- Newsletters and mailing lists become conversations, too.
  takes_lists              boolean not null default false,
  -- A test mail to the source has come back, which shows that mail is forwarded and whose the source is.
  verified_at              timestamptz(3),
  last_in_at               timestamptz(3),
  -- What Google asks before it forwards: `{ from, code, link, at }`.
  confirmation             jsonb,
  created_at               timestamptz(3) not null default now(),
  updated_at               timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, inbox_id) references inboxes (account_id, id) on delete set null (inbox_id)
);
create index forwarding_addresses_by_source on forwarding_addresses (account_id, lower(source_email_address));
