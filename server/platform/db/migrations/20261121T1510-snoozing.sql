-- A snoozed conversation is open but out of the way until a moment, or, with no moment, until its customer answers.

alter table conversations
  add column snoozed_at    timestamptz(3),
  add column snoozed_until timestamptz(3),
  add constraint snoozed_while_open check (snoozed_at is null or status = 'open'),
  add constraint until_while_snoozed check (snoozed_until is null or snoozed_at is not null);

-- Lists show either what is awake or what is snoozed. However many sleep on top, a page of the others costs the same.
drop index conversations_by_inbox;
drop index conversations_by_assignee;
drop index conversations_prioritized;
drop index conversations_unread;
create index conversations_awake on conversations (account_id, last_activity_at desc, id desc) where archived_at is null and status = 'open' and snoozed_at is null;
create index conversations_by_inbox on conversations (account_id, inbox_id, status, last_activity_at desc, id desc) where archived_at is null and snoozed_at is null;
create index conversations_by_assignee on conversations (account_id, assignee_id, status, last_activity_at desc, id desc) where archived_at is null and snoozed_at is null;
create index conversations_prioritized on conversations (account_id, status, last_activity_at desc, id desc) where archived_at is null and snoozed_at is null and priority = 'priority';
create index conversations_unread on conversations (account_id, status, last_activity_at desc, id desc) where archived_at is null and snoozed_at is null and not read;
create index conversations_snoozed on conversations (account_id, last_activity_at desc, id desc) where archived_at is null and snoozed_at is not null;
create index conversations_to_wake on conversations (snoozed_until) where archived_at is null and snoozed_until is not null;

-- What is snoozed waits in no bucket.
create or replace function unread_counters_of(c conversations) returns setof text
language sql immutable as $$
  select unnest(
    case
      when c.archived_at is not null or c.snoozed_at is not null then '{}'::text[]
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

drop trigger keep_unread_counters_on_update on conversations;
create trigger keep_unread_counters_on_update
  after update of status, read, priority, assignee_id, inbox_id, archived_at, snoozed_at, unseen_mention_user_ids on conversations
  for each row execute function keep_unread_counters();
