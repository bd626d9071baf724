-- What search reads. Text is folded to plain words first, so that accents, case and the way a keyboard composes letters
-- make no difference: `Đà Nẵng` is `da nang`. contract/search-words.ts folds the same way in the browser.

-- Bodies are bound when the function is made (`return`), because vacuum and restore run with an empty search path.

create function fold_text(said text) returns text language sql immutable parallel safe
return case
  when octet_length(said) = length(said) then regexp_replace(lower(said), '[^a-z0-9]+', ' ', 'g')
  else regexp_replace(
    regexp_replace(
      replace(replace(replace(
        translate(
          lower(regexp_replace(normalize(said, NFKD),
            '[\u00ad\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200d\u2060\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff]+',
            '', 'g')),
          'đłøıħŧðς', 'dloihtdσ'),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
      '[\u0001-\u002f\u003a-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3007-\u3030\ufe10-\ufe1f\ufe30-\ufe6f\uff00-\uff0f\ufff0-\uffff\U0001f000-\U0001faff]+',
      ' ', 'g'),
    -- Chinese and Japanese are written without blanks: there every sign is a word.
    '([\u2e80-\u2fff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])', ' \1 ', 'g')
end;

create function words_of(said text) returns tsvector language sql immutable parallel safe
return to_tsvector('pg_catalog.simple', fold_text(coalesce(said, '')));

-- One index serves all accounts. Each word is therefore indexed with a prefix that says whose it is and, for messages,
-- of which day: a search reads one day after the other, newest first, and stops when a page is full. Neither other
-- accounts nor older days cost anything.
create function search_scope(account uuid, day integer) returns text language sql immutable parallel safe
return left(account::text, 8) || case when day is null then '' else lpad(to_hex(day), 4, '0') end;

create function search_day(at timestamptz) returns integer language sql immutable parallel safe
return greatest(0, least(65535, floor(extract(epoch from at - timestamptz '1970-01-01 00:00:00+00') / 86400)))::integer;

-- The planner is told that this is dear, so that it reads the index instead of computing it again.
create function search_keys(account uuid, day integer, words tsvector, user_id integer) returns tsvector
language sql immutable parallel safe cost 1000
return array_to_tsvector(
  array(select search_scope(account, day) || left(word, 64) from unnest(tsvector_to_array(words)) word)
  || case when user_id is null then '{}' else array[search_scope(account, day) || '@' || user_id] end);

-- Every message of every conversation that is not archived: exactly what can be found. Apart from `messages` because
-- those rows change when they are seen, which would write all their words into the index again. No reference to
-- `messages`: the triggers below keep the two together, and checking every row would double the cost.
create table message_words (
  account_id      uuid not null,
  message_id      uuid not null,
  conversation_id uuid not null,
  user_id         integer,
  customer_id     uuid,
  created_at      timestamptz(3) not null,
  words           tsvector not null,
  primary key (account_id, created_at, message_id)
);

create function add_message_words() returns trigger language plpgsql as $$
begin
  insert into message_words (account_id, message_id, conversation_id, user_id, customer_id, created_at, words)
  select m.account_id, m.id, m.conversation_id, m.user_id, m.customer_id, m.created_at, words_of(m.body)
  from added m join conversations c on c.account_id = m.account_id and c.id = m.conversation_id
  where c.archived_at is null
  on conflict do nothing;
  return null;
end $$;

create function change_message_words() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from message_words where account_id = old.account_id and created_at = old.created_at and message_id = old.id;
  else
    update message_words set words = words_of(new.body)
    where account_id = new.account_id and created_at = new.created_at and message_id = new.id;
  end if;
  return null;
end $$;

create function move_message_words() returns trigger language plpgsql as $$
begin
  if new.archived_at is not null then
    delete from message_words w using messages m
    where m.account_id = new.account_id and m.conversation_id = new.id
      and w.account_id = m.account_id and w.created_at = m.created_at and w.message_id = m.id;
  else
    insert into message_words (account_id, message_id, conversation_id, user_id, customer_id, created_at, words)
    select account_id, id, conversation_id, user_id, customer_id, created_at, words_of(body)
    from messages where account_id = new.account_id and conversation_id = new.id
    on conflict do nothing;
  end if;
  return null;
end $$;

insert into message_words (account_id, message_id, conversation_id, user_id, customer_id, created_at, words)
select m.account_id, m.id, m.conversation_id, m.user_id, m.customer_id, m.created_at, words_of(m.body)
from messages m join conversations c on c.account_id = m.account_id and c.id = m.conversation_id
where c.archived_at is null;

create index message_words_keys on message_words
  using gin (search_keys(account_id, search_day(created_at), words, user_id)) with (fastupdate = off);

create trigger add_message_words after insert on messages
  referencing new table as added for each statement execute function add_message_words();
create trigger change_message_words after delete or update of body on messages
  for each row execute function change_message_words();
create trigger move_message_words after update of archived_at on conversations
  for each row when ((old.archived_at is null) <> (new.archived_at is null)) execute function move_message_words();

alter table customers add column words tsvector not null
  generated always as (words_of(coalesce(name, '') || ' ' || coalesce(email, ''))) stored;
create index customers_keys on customers using gin (search_keys(account_id, null, words, null)) with (fastupdate = off);

create table subject_words (
  account_id      uuid not null,
  conversation_id uuid not null,
  words           tsvector not null,
  primary key (account_id, conversation_id),
  foreign key (account_id, conversation_id) references conversations (account_id, id) on delete cascade
);

create function keep_subject_words() returns trigger language plpgsql as $$
begin
  if new.subject is null then
    delete from subject_words where account_id = new.account_id and conversation_id = new.id;
  else
    insert into subject_words (account_id, conversation_id, words)
    values (new.account_id, new.id, words_of(new.subject))
    on conflict (account_id, conversation_id) do update set words = excluded.words;
  end if;
  return null;
end $$;

insert into subject_words (account_id, conversation_id, words)
select account_id, id, words_of(subject) from conversations where subject is not null;

create index subject_words_keys on subject_words
  using gin (search_keys(account_id, null, words, null)) with (fastupdate = off);

create trigger add_subject_words after insert on conversations
  for each row when (new.subject is not null) execute function keep_subject_words();
create trigger change_subject_words after update of subject on conversations
  for each row execute function keep_subject_words();
