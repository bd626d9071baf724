-- Browsers make the ids of customers, conversations and messages, so an id must mean one row in the whole installation:
-- otherwise a stranger could choose one that stands in another account. Primary keys stay as they are; these indexes
-- take the place of those that only found.
do $$
declare
  kind text;
  twins text;
begin
  foreach kind in array array['customers', 'conversations', 'messages'] loop
    execute format(
      'select string_agg(id::text, '', '' order by id) from (select id from %I group by id having count(*) > 1 limit 10) twin',
      kind
    ) into twins;
    if twins is not null then
      raise exception '% have ids that stand in two accounts (%). Somebody has chosen the ids of another company. See "Ids in two accounts" in docs/operating.md, decide which rows stay, then start again',
        kind, twins;
    end if;
  end loop;
end $$;

drop index customers_id;
create unique index customers_id on customers (id);
drop index conversations_id;
create unique index conversations_id on conversations (id);
create unique index messages_id on messages (id);
