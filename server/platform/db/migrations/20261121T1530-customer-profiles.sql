-- What the team keeps of customers: companies, tags, notes, issues; customers found by more than their name; customers
-- that are blocked, erased, or became part of another.

create table companies (
  account_id         uuid not null references accounts (id) on delete cascade,
  id                 uuid not null,
  name               text not null,
  description        text,
  website_url        text,
  external_id        text,
  logo_image_url     text,
  industry           text,
  slack_channel_id   text,
  slack_channel_name text,
  slack_team_id      text,
  slack_team_name    text,
  metadata           jsonb,
  created_at         timestamptz(3) not null default now(),
  updated_at         timestamptz(3) not null default now(),
  primary key (account_id, id)
);

-- A reference without cascade: a company that has customers cannot go.
alter table customers
  add column company_id uuid,
  add column blocked_at timestamptz(3),
  -- Became part of that customer. Browsers and clients that know the old id are taken there.
  add column merged_into uuid,
  -- Erased: what identified the person is gone, the row stays because archived conversations point at it.
  add column deleted_at timestamptz(3),
  add foreign key (account_id, company_id) references companies (account_id, id),
  add foreign key (account_id, merged_into) references customers (account_id, id);

-- A phone number is found as it was typed and as one run of digits.
drop index customers_keys;
alter table customers drop column words;
alter table customers add column words tsvector not null generated always as (words_of(
  coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(external_id, '') || ' ' ||
  coalesce(phone, '') || ' ' || regexp_replace(coalesce(phone, ''), '\D', '', 'g'))) stored;
create index customers_keys on customers using gin (search_keys(account_id, null, words, null)) with (fastupdate = off);

drop index customers_last_seen;
create index customers_listed on customers (account_id, last_seen_at desc, id desc)
  where merged_into is null and deleted_at is null;
create index customers_with_email on customers (account_id, last_seen_at desc, id desc)
  where merged_into is null and deleted_at is null and email is not null;
create index customers_of_company on customers (account_id, company_id, last_seen_at desc, id desc)
  where company_id is not null;
create index customers_merged on customers (account_id, merged_into) where merged_into is not null;

create table customer_tags (
  account_id  uuid not null,
  customer_id uuid not null,
  tag_id      uuid not null,
  created_at  timestamptz(3) not null default now(),
  primary key (account_id, customer_id, tag_id),
  foreign key (account_id, customer_id) references customers (account_id, id) on delete cascade,
  foreign key (account_id, tag_id) references tags (account_id, id) on delete cascade
);
create index customer_tags_by_tag on customer_tags (account_id, tag_id);

create table customer_notes (
  account_id  uuid not null,
  id          uuid not null,
  customer_id uuid not null,
  author_id   integer not null,
  body        text not null,
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, customer_id) references customers (account_id, id) on delete cascade,
  foreign key (account_id, author_id) references users (account_id, id)
);
create index customer_notes_newest on customer_notes (account_id, created_at desc, id desc);
create index customer_notes_of_customer on customer_notes (account_id, customer_id, created_at desc, id desc);

create table issues (
  account_id       uuid not null references accounts (id) on delete cascade,
  id               uuid not null,
  title            text not null,
  body             text,
  state            text not null default 'unstarted'
                   check (state in ('unstarted', 'in_progress', 'in_review', 'done', 'closed')),
  github_issue_url text,
  creator_id       integer,
  assignee_id      integer,
  finished_at      timestamptz(3),
  closed_at        timestamptz(3),
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, creator_id) references users (account_id, id) on delete set null (creator_id),
  foreign key (account_id, assignee_id) references users (account_id, id) on delete set null (assignee_id)
);
create index issues_updated on issues (account_id, updated_at desc, id desc);

create table customer_issues (
  account_id  uuid not null,
  customer_id uuid not null,
  issue_id    uuid not null,
  created_at  timestamptz(3) not null default now(),
  primary key (account_id, customer_id, issue_id),
  foreign key (account_id, customer_id) references customers (account_id, id) on delete cascade,
  foreign key (account_id, issue_id) references issues (account_id, id) on delete cascade
);
create index customer_issues_by_issue on customer_issues (account_id, issue_id);

-- What moved when two customers became one, so that it can be taken back exactly.
create table customer_merges (
  account_id  uuid not null,
  id          uuid not null,
  customer_id uuid not null,
  merged_id   uuid not null,
  user_id     integer not null,
  moved       jsonb not null,
  created_at  timestamptz(3) not null default now(),
  undone_at   timestamptz(3),
  primary key (account_id, id),
  foreign key (account_id, customer_id) references customers (account_id, id) on delete cascade,
  foreign key (account_id, merged_id) references customers (account_id, id) on delete cascade,
  foreign key (account_id, user_id) references users (account_id, id)
);
create index customer_merges_of_customer on customer_merges (account_id, customer_id, created_at desc);

-- What a customer wrote follows the conversation in which it stands to its new owner, and back.
create function move_customer_messages() returns trigger language plpgsql as $$
begin
  update messages set customer_id = new.customer_id
  where account_id = new.account_id and conversation_id = new.id and customer_id = old.customer_id;
  update message_words w set customer_id = new.customer_id from messages m
  where m.account_id = new.account_id and m.conversation_id = new.id and m.customer_id = new.customer_id
    and w.account_id = m.account_id and w.created_at = m.created_at and w.message_id = m.id;
  return null;
end $$;
create trigger move_customer_messages after update of customer_id on conversations
  for each row when (old.customer_id <> new.customer_id) execute function move_customer_messages();

-- Questions to the list of customers that a team asks again and again.
create table customer_filters (
  account_id uuid not null references accounts (id) on delete cascade,
  id         uuid not null,
  name       text not null,
  query      jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  unique (account_id, name)
);
