-- How many messages each conversation got in each hour of the account's own days, by author: a user's id, 0 for the
-- customer, -1 for neither. A consumer of the event log keeps it; it can always be counted again from the messages.
create table message_counts (
  account_id uuid not null,
  day date not null,
  hour smallint not null,
  conversation_id uuid not null,
  author integer not null,
  messages integer not null,
  primary key (account_id, day, hour, conversation_id, author) include (messages),
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade
);
create index message_counts_by_conversation on message_counts (account_id, conversation_id);

-- The time zone in which an account's days were counted: when it changes, they are counted again.
create table reporting_time_zones (
  account_id uuid primary key references accounts (id) on delete cascade,
  time_zone text not null
);

insert into reporting_time_zones
select id, coalesce((select name from pg_timezone_names where name = time_zone), 'UTC') from accounts;

insert into message_counts
select account_id, local::date, extract(hour from local), conversation_id,
       coalesce(user_id, case when customer_id is null then -1 else 0 end), count(*)
from messages join reporting_time_zones using (account_id),
     lateral (select messages.created_at at time zone time_zone as local) as clock
group by 1, 2, 3, 4, 5;

create index conversations_by_creation on conversations (account_id, created_at);
create index customers_by_creation on customers (account_id, created_at);
create index conversation_ratings_by_creation on conversation_ratings (account_id, created_at);
