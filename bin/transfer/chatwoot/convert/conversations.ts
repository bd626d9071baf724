import type { Conversion } from '../../moving-in/reader.ts'
import { at, created, metadata, newId, object, text } from '../expressions.ts'
import { TEAM_OF } from './teams.ts'

/** What a list shows of a conversation's row `o`, beside its own attributes. */
const KEPT = `jsonb_build_object('id', o.id, 'display_id', o.display_id, 'channel', t.channel_type, 'identifier', nullif(o.identifier, ''),
  'team', (select name from old_teams where id = o.team_id), 'priority', case o.priority when 0 then 'low' when 1 then 'medium' when 2 then 'high' when 3 then 'urgent' else o.priority::text end,
  'status', case when o.status = 2 then 'pending' when o.status not between 0 and 3 then o.status::text end,
  'waiting_since', o.waiting_since, 'campaign', o.campaign_id, 'bot', o.assignee_agent_bot_id,
  'participants', (select jsonb_agg(coalesce(p.display_name, p.full_name, p.address) order by r.id) from old_conversation_participants r
    join people p on p.account = t.account and p.user_id = r.user_id where r.conversation_id = o.id),
  'attributes', nullif(x.a - 'mail_subject', '{}'))`

/** Conversations, without their messages. */
export const CONVERSATIONS: Conversion[] = [
  {
    table: 'conversations',
    reads: 'conversations',
    // The ids stay: they are in the reply addresses of old mails. Pending ones, which a bot had, are open: somebody has to
    // look at them now.
    sql: `
with latest as (
  select thread, max(created_at) as at, max(created_at) filter (where message_type = 0 and not private) as asked_at from said group by 1),
resolved as (
  select conversation_id, max(event_end_time) as at from old_reporting_events where name = 'conversation_resolved' group by 1)
insert into conversations (account_id, id, customer_id, inbox_id, team_id, assignee_id, source, subject, status, priority, read, metadata, created_at, updated_at,
  last_activity_at, closed_at, snoozed_at, snoozed_until, reply_email)
select t.account_id, t.uuid, c.id, coalesce(i.id, first.id), ${TEAM_OF('o.team_id', 't.account_id')}, u.id, t.source, ${text("x.a ->> 'mail_subject'")},
  case when o.status = 1 then 'closed' else 'open' end, case when o.priority in (2, 3) then 'priority' else 'not_priority' end,
  o.status = 1 or l.asked_at is null or coalesce(o.agent_last_seen_at >= l.asked_at, false),
  ${metadata('o.custom_attributes', KEPT)}, ${created('o')},
  coalesce(${at('l.at')}, ${at('o.last_activity_at')}, ${at('o.created_at')}, now()),
  case when o.status = 1 then greatest(coalesce(${at('r.at')}, ${at('o.updated_at')}, now()), ${at('l.at')}) end,
  case when s.is_asleep then coalesce(${at('o.updated_at')}, now()) end, case when s.is_asleep then ${at('o.snoozed_until')} end,
  case when t.source = 'chat' then k.email end
from threads t join old_conversations o on o.id = t.id
join customers k on k.account_id = t.account_id and k.id = t.customer_id
-- Two customers may have been merged in Parley since an earlier run.
join customers c on c.account_id = t.account_id and c.id = coalesce(k.merged_into, k.id)
join inboxes first on first.account_id = t.account_id and first.is_primary
left join inboxes i on i.account_id = t.account_id and i.id = ${newId('inboxes', 't.inbox')}
left join people p on p.account = t.account and p.user_id = o.assignee_id and p.is_member
left join users u on u.account_id = t.account_id and u.id = p.id
left join latest l on l.thread = t.id
left join resolved r on r.conversation_id = t.id
cross join lateral (select ${object('o.additional_attributes')} as a) x
cross join lateral (select o.status = 3 and (o.snoozed_until is null or ${at('o.snoozed_until')} > now()) as is_asleep) s
on conflict (account_id, id) do update set team_id = excluded.team_id, assignee_id = excluded.assignee_id, status = excluded.status, priority = excluded.priority,
  read = excluded.read, metadata = excluded.metadata, updated_at = excluded.updated_at,
  last_activity_at = greatest(conversations.last_activity_at, excluded.last_activity_at), closed_at = excluded.closed_at,
  snoozed_at = excluded.snoozed_at, snoozed_until = excluded.snoozed_until, version = conversations.version + 1
where excluded.updated_at > conversations.updated_at`,
  },
]
