-- What a company's own mails to its customers look like, each version of it.
create table email_template_versions (
  account_id uuid not null references accounts (id) on delete cascade,
  id         uuid not null,
  seq        bigint generated always as identity,
  kind       text not null,
  subject    text not null,
  body       text not null,
  color      text not null,
  user_id    integer,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, id)
);
create index email_template_versions_newest on email_template_versions (account_id, kind, seq desc);

-- The version that is used. Without a row the mail is as Parley writes it.
create table email_templates (
  account_id uuid not null,
  kind       text not null,
  version_id uuid not null,
  -- Since when it fails on real mails, which go out as Parley writes them.
  failed_at  timestamptz(3),
  failure    text,
  primary key (account_id, kind),
  foreign key (account_id, version_id) references email_template_versions (account_id, id) on delete cascade
);
