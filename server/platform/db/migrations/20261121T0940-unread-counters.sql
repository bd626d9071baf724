-- How many conversations wait in each bucket, kept by the database so that no door can forget.
-- A counter is spread over eight slots: two writers of one account rarely wait for each other. Its value is their sum.

create table unread_counters (
  account_id uuid not null references accounts (id) on delete cascade,
  counter    text not null,
  slot       smallint not null,
  count      integer not null,
  primary key (account_id, counter, slot)
);

-- The counters in which one conversation stands. The buckets are those of the inbox screens; `closed` counts
-- closed conversations that nobody has read, and a mention counts until the mentioned user has looked.
create function unread_counters_of(c conversations) returns setof text
language sql immutable as $$
  select unnest(
    case
      when c.archived_at is not null then '{}'::text[]
      when c.status = 'closed' then case when c.read then '{}'::text[] else array['closed'] end
      else
        case when c.read then '{}'::text[] else array[
          'unread',
          'inbox:' || c.inbox_id,
          case when c.assignee_id is null then 'unassigned' else 'assigned:' || c.assignee_id end
        ] end
        || case when c.read or c.priority <> 'priority' then '{}'::text[] else array['priority'] end
        || (select coalesce(array_agg('mentioned:' || user_id), '{}') from unnest(c.unseen_mention_user_ids) user_id)
    end)
$$;

create function add_to_unread_counters(account uuid, counters text[], delta integer) returns void
language sql as $$
  insert into unread_counters as kept (account_id, counter, slot, count)
  select account, counter, pg_backend_pid() % 8, delta from unnest(counters) counter order by counter
  on conflict (account_id, counter, slot) do update set count = kept.count + excluded.count
$$;

create function keep_unread_counters() returns trigger language plpgsql as $$
declare
  before text[] := '{}';
  after  text[] := '{}';
begin
  if tg_op <> 'INSERT' then before := array(select unread_counters_of(old)); end if;
  if tg_op <> 'DELETE' then after := array(select unread_counters_of(new)); end if;
  if before is distinct from after then
    perform add_to_unread_counters(coalesce(old.account_id, new.account_id),
      array(select unnest(before) except select unnest(after)), -1);
    perform add_to_unread_counters(coalesce(old.account_id, new.account_id),
      array(select unnest(after) except select unnest(before)), 1);
  end if;
  return null;
end $$;

create trigger keep_unread_counters_on_write after insert or delete on conversations
  for each row execute function keep_unread_counters();
create trigger keep_unread_counters_on_update
  after update of status, read, priority, assignee_id, inbox_id, archived_at, unseen_mention_user_ids on conversations
  for each row execute function keep_unread_counters();
