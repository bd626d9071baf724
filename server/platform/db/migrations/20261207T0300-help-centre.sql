-- The help centre of an account: public pages with articles.
create table help_centers (
  account_id       uuid primary key references accounts (id) on delete cascade,
  name             text not null,
  -- Its part of the address /help/<slug>.
  slug             text not null unique,
  is_published     boolean not null default false,
  -- Whether search engines may list it.
  is_indexed       boolean not null default true,
  default_language text not null,
  languages        text[] not null,
  color            text not null default '#1f6f5c',
  logo_file_id     uuid,
  -- Own host name. Its proxy has the certificate.
  domain           text unique,
  contact_email    text,
  contact_url      text,
  legal_links      jsonb not null default '[]',
  -- Increases with everything that readers see. Pages in memory are kept by it.
  version          bigint not null default 1,
  updated_at       timestamptz(3) not null default now(),
  foreign key (account_id, logo_file_id) references files (account_id, id) on delete set null (logo_file_id)
);

-- Articles that belong together.
create table article_collections (
  account_id uuid not null references accounts (id) on delete cascade,
  id         uuid not null,
  -- The order in the help centre.
  position   integer not null,
  slug       text not null,
  icon       text not null default '',
  -- Name and description by language.
  texts      jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  unique (account_id, slug)
);

-- Articles, whose texts are in the tables below.
create table articles (
  account_id    uuid not null references accounts (id) on delete cascade,
  id            uuid not null,
  collection_id uuid,
  -- The order in the collection.
  position      integer not null default 0,
  author_id     integer,
  archived_at   timestamptz(3),
  created_at    timestamptz(3) not null default now(),
  updated_at    timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, collection_id) references article_collections (account_id, id)
    on delete set null (collection_id),
  foreign key (account_id, author_id) references users (account_id, id) on delete set null (author_id)
);
create index articles_listed on articles (account_id, updated_at desc, id desc);
create index articles_of_collection on articles (account_id, collection_id, position, id);

-- The draft of an article in one language: what its author last saved.
create table article_translations (
  account_id uuid not null,
  article_id uuid not null,
  language   text not null,
  title      text not null,
  summary    text not null default '',
  -- Markdown.
  body       text not null,
  slug       text not null,
  -- Whether the slug was chosen, and does not follow the title any more.
  is_slug_chosen boolean not null default false,
  -- Increases with every change, so that two authors do not overwrite each other.
  version    integer not null default 1,
  updated_by integer,
  updated_at timestamptz(3) not null default now(),
  -- For the list of the team.
  words      tsvector not null generated always as (words_of(title || ' ' || summary || ' ' || body)) stored,
  primary key (account_id, article_id, language),
  unique (account_id, language, slug),
  foreign key (account_id, article_id) references articles (account_id, id) on delete cascade,
  foreign key (account_id, updated_by) references users (account_id, id) on delete set null (updated_by)
);
create index article_translations_keys on article_translations
  using gin (search_keys(account_id, null, words, null)) with (fastupdate = off);

-- What was published: who, when, and the text.
create table article_revisions (
  account_id uuid not null,
  id         uuid not null,
  article_id uuid not null,
  language   text not null,
  number     integer not null,
  title      text not null,
  summary    text not null,
  body       text not null,
  user_id    integer,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, id),
  unique (account_id, article_id, language, number),
  foreign key (account_id, article_id, language)
    references article_translations (account_id, article_id, language) on delete cascade,
  foreign key (account_id, user_id) references users (account_id, id) on delete set null (user_id)
);

-- What readers see: one row for each article and language that is public.
create table published_articles (
  account_id   uuid not null,
  article_id   uuid not null,
  language     text not null,
  revision_id  uuid not null,
  -- The version of the draft that was published.
  version      integer not null,
  slug         text not null,
  title        text not null,
  summary      text not null,
  -- Safe HTML, made once at publishing.
  html         text not null,
  -- The same as plain text, for excerpts.
  text         text not null,
  first_published_at timestamptz(3) not null default now(),
  published_at timestamptz(3) not null default now(),
  words        tsvector not null generated always as (
    setweight(words_of(title), 'A') || setweight(words_of(summary), 'B') || setweight(words_of(text), 'C')) stored,
  primary key (account_id, article_id, language),
  unique (account_id, language, slug),
  foreign key (account_id, article_id, language)
    references article_translations (account_id, article_id, language) on delete cascade,
  foreign key (account_id, revision_id) references article_revisions (account_id, id) on delete cascade
);
create index published_articles_keys on published_articles
  using gin (search_keys(account_id, null, words, null)) with (fastupdate = off);

-- Former addresses, which lead to the article.
create table article_slugs (
  account_id uuid not null,
  language   text not null,
  slug       text not null,
  article_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, language, slug),
  foreign key (account_id, article_id) references articles (account_id, id) on delete cascade
);
create index article_slugs_of_article on article_slugs (account_id, article_id);

-- Files in articles. Those of published ones are public.
create table article_files (
  account_id uuid not null,
  article_id uuid not null,
  language   text not null,
  file_id    uuid not null,
  is_public  boolean not null,
  primary key (account_id, article_id, language, file_id, is_public),
  foreign key (account_id, article_id, language)
    references article_translations (account_id, article_id, language) on delete cascade,
  foreign key (account_id, file_id) references files (account_id, id) on delete cascade
);
create index article_files_by_file on article_files (account_id, file_id);

-- Whether articles helped. A reader is a hash that only this installation can compute.
create table article_votes (
  account_id uuid not null,
  article_id uuid not null,
  reader     bytea not null,
  language   text not null,
  is_helpful boolean not null,
  comment    text,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, article_id, reader),
  foreign key (account_id, article_id) references articles (account_id, id) on delete cascade
);
create index article_votes_by_reader on article_votes (account_id, reader);
create index article_votes_by_age on article_votes (created_at);

-- Articles that a visitor read within the last day, to notice who wrote afterwards.
create table article_reads (
  account_id uuid not null,
  reader     bytea not null,
  article_id uuid not null,
  language   text not null,
  read_at    timestamptz(3) not null default now(),
  primary key (account_id, reader, article_id),
  foreign key (account_id, article_id) references articles (account_id, id) on delete cascade
);
create index article_reads_by_age on article_reads (read_at);

-- What the help centre lacks: searches without a hit, articles that did not help or were not enough.
create table help_gaps (
  account_id uuid not null references accounts (id) on delete cascade,
  id         uuid not null,
  kind       text not null check (kind in ('no_hits', 'not_helpful', 'read_then_wrote')),
  language   text not null,
  -- Of searches. Of whom is not stored anywhere.
  words      text,
  article_id uuid,
  count      integer not null default 1,
  state      text not null default 'open' check (state in ('open', 'done', 'ignored')),
  last_at    timestamptz(3) not null default now(),
  primary key (account_id, id),
  unique nulls not distinct (account_id, kind, language, words, article_id),
  foreign key (account_id, article_id) references articles (account_id, id) on delete cascade
);
create index help_gaps_listed on help_gaps (account_id, state, count desc, id);
create index help_gaps_by_age on help_gaps (last_at);
