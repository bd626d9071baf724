-- What a customer thought of a closed conversation: one rating each, from 1 (bad) to 5 (good), for the team to read and
-- for reports to count. Whose work it was is noted, because conversations change hands.
create table conversation_ratings (
  account_id      uuid not null,
  id              uuid not null,
  conversation_id uuid not null,
  user_id         integer,
  score           smallint not null check (score between 1 and 5),
  comment         text,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (account_id, id),
  unique (account_id, conversation_id),
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade,
  foreign key (account_id, user_id) references users (account_id, id) on delete set null (user_id)
);
create index conversation_ratings_by_time on conversation_ratings (account_id, created_at);
create index conversation_ratings_by_user on conversation_ratings (account_id, user_id, created_at);
