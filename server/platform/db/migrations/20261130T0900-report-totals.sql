-- Reports of many conversations are read from sums by day, so that a year takes as long at three million messages as at one.
-- What makes that true:
--
-- * A report is about everything, or about the conversations of one inbox, source, assignee or tag. The sums of each of these
--   "filters" stand beside each other: '' for everything, 'inbox_id:…', 'source:…', 'assignee_id:…' ('assignee_id:nobody'), 'tag_id:…'. A conversation
--   stands in four of them and in one for each of its tags; a report reads those of one. Reports of several at once read the
--   rows of conversations and of message_counts: sums for every combination would be many times as many as there are messages.
-- * conversation_figures holds what each conversation has contributed, and so has message_counts. Who counts a conversation again
--   takes away what stands there, and adds what is true now; that one counts at a time in each account is seen to by a lock.
--   Neither goes when its conversation is destroyed: only what has contributed knows what to take away.
-- * Seconds are measured when they are counted, on the clock of reporting_time_zones, so that no time zone is converted when a
--   report is read. Accounts whose clock is another by now are read as before, until they have been counted again.
-- * Means are exact, from sums. A median needs every value: of many conversations it is read from how many took how long, by
--   week, in steps of two percent (features/reporting/durations.ts).
--
-- Nothing is counted here, where everybody would wait for it: has_totals says of which accounts all has been.

create table conversation_figures (
  account_id uuid not null references accounts (id) on delete cascade,
  conversation_id uuid not null,
  created_at timestamptz(3) not null,
  -- On the account's clock.
  day date not null,
  filters text[] not null,
  -- Milliseconds to the first reply and to the resolution, of those that are closed; and those of them within working hours,
  -- where the account has any.
  reply bigint,
  resolution bigint,
  worked_reply bigint,
  worked_resolution bigint,
  primary key (account_id, conversation_id)
);
create index conversation_figures_by_creation on conversation_figures (account_id, created_at);
create index conversation_figures_by_day on conversation_figures (account_id, day);

-- The same rows are written again and again: room for that beside them spares the index.
create table author_totals (
  account_id uuid not null references accounts (id) on delete cascade,
  filter text not null,
  day date not null,
  -- As in message_counts.
  author integer not null,
  messages integer not null,
  primary key (account_id, filter, day, author)
) with (fillfactor = 80);

-- Only of what customers wrote.
create table hour_totals (
  account_id uuid not null references accounts (id) on delete cascade,
  filter text not null,
  day date not null,
  hour smallint not null,
  messages integer not null,
  primary key (account_id, filter, day, hour)
) with (fillfactor = 80);

create table conversation_totals (
  account_id uuid not null references accounts (id) on delete cascade,
  filter text not null,
  -- On which they began.
  day date not null,
  conversations integer not null,
  replies integer not null,
  reply bigint not null,
  worked_reply bigint not null,
  resolutions integer not null,
  resolution bigint not null,
  worked_resolution bigint not null,
  primary key (account_id, filter, day)
) with (fillfactor = 80);

-- How many conversations took how long: steps[i] was that of conversations[i]. One row a week is smaller than one for each
-- step, of which there are hundreds.
create table duration_totals (
  account_id uuid not null references accounts (id) on delete cascade,
  filter text not null,
  -- The Sunday of the week in which they began.
  week date not null,
  measure text not null check (measure in ('reply', 'resolution', 'worked_reply', 'worked_resolution')),
  steps smallint[] not null,
  conversations integer[] not null,
  primary key (account_id, filter, week, measure)
);

alter table reporting_time_zones
  add column working_hours jsonb not null default '[]',
  add column has_totals boolean not null default false;

-- Of a conversation that is destroyed somebody has to take away what it contributed.
alter table message_counts
  drop constraint message_counts_account_id_conversation_id_fkey,
  add constraint message_counts_account_id_fkey foreign key (account_id) references accounts (id) on delete cascade;
