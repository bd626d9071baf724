import { CUT_BODY, LONG_BODY } from '../../moving-in/long-bodies.ts'
import type { Conversion } from '../../moving-in/reader.ts'
import { at, newId } from '../expressions.ts'
import { HISTORY_NOTES } from './histories.ts'

/** What a message's row `o` keeps of Chatwoot's. */
const KEPT = `jsonb_strip_nulls(jsonb_build_object('id', o.id, 'source_id', o.source_id,
  'in_reply_to', case when o.attributes ->> 'in_reply_to' ~ '^\\d{1,18}$' then ${newId('messages', `(o.attributes ->> 'in_reply_to')`)}::text end,
  'translations', o.attributes -> 'translations', 'error', case when o.status = 3 then coalesce(o.attributes ->> 'external_error', 'failed') end,
  'items', o.attributes -> 'items', 'submitted_values', o.attributes -> 'submitted_values', 'raw', o.attributes -> 'raw',
  'bot', case when o.message_type = 1 and o.sender_type is not null and o.sender_type <> 'User' then o.sender_type end,
  'automation_rule', o.attributes -> 'automation_rule_id', 'campaign', o.more -> 'campaign_id',
  'sender', case when o.message_type = 0 and o.sender_type = 'Contact' and o.sender_id is distinct from o.contact_id
    then (select coalesce(k.name, k.email, k.phone, k.id::text) from people_outside k where k.id = o.sender_id and k.account = o.account) end))`

/** So many messages are converted by one statement. */
const SLICE = 100_000

/** Conversations with so many messages together. */
const SLICES = `
with sizes as (select thread as id, count(*) as rows from said group by 1),
sliced as (select id, rows, (sum(rows) over (order by id) - rows) / ${SLICE} as slice from sizes)
select min(id) as low, max(id) as high, sum(rows)::int as rows from sliced group by floor(slice) order by 1`

/** Messages, and what follows from them for conversations. */
export const MESSAGES: Conversion[] = [
  {
    table: 'messages',
    // What was deleted there since an earlier run is deleted here.
    sql: `
delete from messages m using old_messages o join threads t on t.id = o.conversation_id
where m.account_id = t.account_id and m.id = ${newId('messages', 'o.id')} and o.content_attributes like '%deleted%'
  and not exists (select from said s where s.id = o.id)`,
  },
  {
    table: 'messages',
    reads: 'messages',
    slices: SLICES,
    sql: `
with sided as (
  select o.*, p.id as author,
    case when o.message_type = 3 or o.sender_type not in ('User', 'Contact') or o.attributes ->> 'automation_rule_id' is not null
        or o.more ->> 'campaign_id' is not null then o.message_type <> 0 else false end as is_bot
  from said o left join people p on o.sender_type = 'User' and p.account = o.account and p.user_id = o.sender_id
  where o.thread between $1::bigint and $2::bigint),
ordered as (
  select s.*, row_number() over (partition by thread order by created_at, id) as position,
    min(created_at) filter (where message_type = 1 and not private and not is_bot)
      over (partition by thread order by created_at desc, id desc rows between unbounded preceding and 1 preceding) as answered_at
  from sided s),
fresh as (
  select o.*, coalesce((select max(number) from messages m where m.account_id = o.account_id and m.conversation_id = o.conversation_id), 0)
    + row_number() over (partition by o.thread order by o.position) as new_number
  from ordered o where not exists (select from messages m where m.account_id = o.account_id and m.id = o.message_id))
insert into messages (account_id, id, conversation_id, number, body, type, private, source, customer_id, user_id, sent_at, seen_at, metadata, created_at)
select o.account_id, o.message_id, v.id, o.new_number, case when length(o.body) > ${LONG_BODY} then left(o.body, ${CUT_BODY}) else o.body end,
  case when o.is_bot then 'bot' when o.private then 'note' else 'reply' end, o.private,
  case when o.content_type = 8 then 'email' else o.source end,
  case when o.message_type = 0 and not o.private then v.customer_id end, case when o.message_type = 1 and not o.is_bot then u.id end,
  coalesce(pg_temp.as_time(o.attributes ->> 'external_created_at'), ${at('o.created_at')}),
  case when o.private then null
    when o.message_type = 0 then coalesce(${at('o.answered_at')}, case when w.agent_last_seen_at >= o.created_at then ${at('w.agent_last_seen_at')} end)
    when w.contact_last_seen_at >= o.created_at then ${at('w.contact_last_seen_at')}
    when o.status = 2 then ${at('o.updated_at')} end,
  jsonb_build_object('chatwoot', ${KEPT}) || case when o.private and o.body like '%@%' then coalesce((
    select jsonb_build_object('mentions', jsonb_agg(jsonb_build_object('id', n.id, 'name', coalesce(n.display_name, n.full_name)) order by n.id))
    from named n where n.message_id = o.id having count(*) > 0), '{}') else '{}' end,
  ${at('o.created_at')}
from fresh o
join conversations v on v.account_id = o.account_id and v.id = o.conversation_id
join old_conversations w on w.id = o.thread
left join users u on u.account_id = o.account_id and u.id = o.author
order by o.conversation_id, o.new_number on conflict do nothing`,
  },
  ...HISTORY_NOTES,
  {
    table: 'conversations',
    // Chatwoot's own time of the first reply also counts notes and bots in older versions.
    sql: `
update conversations v set last_number = n.last, version = greatest(v.version, n.last), first_replied_at = n.first_reply
from (
  select m.account_id, m.conversation_id, max(m.number) as last,
    min(m.created_at) filter (where m.type = 'reply' and not m.private and m.user_id is not null) as first_reply
  from messages m join threads t on t.account_id = m.account_id and t.uuid = m.conversation_id group by 1, 2) n
where v.account_id = n.account_id and v.id = n.conversation_id
  and (v.last_number < n.last or v.first_replied_at is distinct from n.first_reply)`,
  },
  {
    table: 'mentions',
    // Chatwoot knows one mention for each person and conversation; the notes name them one by one.
    sql: `
insert into mentions (account_id, id, conversation_id, message_id, user_id, seen_at, created_at)
select m.account_id, ${newId('mentions', `n.message_id || ' ' || n.user_id`)}, m.conversation_id, m.id, u.id,
  case when w.id is null then now() else ${at('w.read_at')} end, m.created_at
from named n join said s on s.id = n.message_id
join messages m on m.account_id = s.account_id and m.id = s.message_id
join users u on u.account_id = m.account_id and u.id = n.id
left join lateral (
  select id, read_at from old_notifications where notification_type = 4 and user_id = n.user_id and primary_actor_type = 'Conversation'
    and primary_actor_id = s.thread order by created_at desc, id desc limit 1) w on true
where n.is_member on conflict do nothing`,
  },
  {
    table: 'conversations',
    sql: `
update conversations v set unseen_mention_user_ids = n.users
from (select m.account_id, m.conversation_id, array_agg(distinct m.user_id order by m.user_id) as users
      from mentions m join users u on u.account_id = m.account_id and u.id = m.user_id
      join threads t on t.account_id = m.account_id and t.uuid = m.conversation_id
      where m.seen_at is null and u.disabled_at is null and u.archived_at is null group by 1, 2) n
where v.account_id = n.account_id and v.id = n.conversation_id and v.unseen_mention_user_ids <> n.users`,
  },
]
