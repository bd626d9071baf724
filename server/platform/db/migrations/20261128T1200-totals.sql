-- How many conversations each bucket and inbox holds, beside how many of them wait: kept in the same counters, under names that
-- begin with "all".

-- Nothing may be counted by the old function and not be seen by the sum below.
lock table conversations in share row exclusive mode;

create or replace function unread_counters_of(c conversations) returns setof text
language sql immutable as $$
  select unnest(
    case
      when c.archived_at is not null then '{}'::text[]
      when c.snoozed_at is not null then array['all:snoozed']
      when c.status = 'closed' then array['all:closed'] || case when c.read then '{}'::text[] else array['closed'] end
      else
        array[
          'all',
          'all:inbox:' || c.inbox_id,
          case when c.assignee_id is null then 'all:unassigned' else 'all:assigned:' || c.assignee_id end
        ]
        || case when c.priority = 'priority' then array['all:priority'] else '{}'::text[] end
        || case when c.read then '{}'::text[] else array[
          'unread',
          'inbox:' || c.inbox_id,
          case when c.assignee_id is null then 'unassigned' else 'assigned:' || c.assignee_id end
        ] end
        || case when c.read or c.priority <> 'priority' then '{}'::text[] else array['priority'] end
        || (select coalesce(array_agg('mentioned:' || user_id), '{}') from unnest(c.unseen_mention_user_ids) user_id)
    end)
$$;

insert into unread_counters (account_id, counter, slot, count)
select c.account_id, counter, 0, count(*)
from conversations c, unread_counters_of(c) counter
where counter like 'all%'
group by 1, 2;
