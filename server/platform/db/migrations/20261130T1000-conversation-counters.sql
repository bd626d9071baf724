-- The function says in which counters a conversation stands, and since there are totals these are more than the unread ones.
alter function unread_counters_of(conversations) rename to conversation_counters_of;

create or replace function keep_unread_counters() returns trigger language plpgsql as $$
declare
  before text[] := '{}';
  after  text[] := '{}';
begin
  if tg_op <> 'INSERT' then before := array(select conversation_counters_of(old)); end if;
  if tg_op <> 'DELETE' then after := array(select conversation_counters_of(new)); end if;
  if before is distinct from after then
    perform add_to_unread_counters(coalesce(old.account_id, new.account_id),
      array(select unnest(before) except select unnest(after)), -1);
    perform add_to_unread_counters(coalesce(old.account_id, new.account_id),
      array(select unnest(after) except select unnest(before)), 1);
  end if;
  return null;
end $$;
