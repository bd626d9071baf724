import { CUT_BODY, LONG_BODY } from '../../moving-in/long-bodies.ts'
import type { Conversion } from '../../moving-in/reader.ts'
import { at, created, derivedId, metadata } from './expressions.ts'

/** So many messages are converted by one statement. */
const SLICE = 100_000

/** Conversations with so many messages together, in the order of their ids. */
const SLICES = `
with sizes as (
  select conversation_id as id, count(*) as rows from old_messages where conversation_id is not null group by 1),
sliced as (select id, rows, (sum(rows) over (order by id) - rows) / ${SLICE} as slice from sizes)
select min(id::text collate "C") as low, max(id::text collate "C") as high, sum(rows)::int as rows
from sliced group by floor(slice) order by 1`

/**
 * An hourly job of Papercups archived what had been closed for two weeks, which hides it. In Parley archived means
 * deleted by a person, so what the job took is only closed; what a person archived, or what is still open, stays archived.
 * Test conversations are archived from the beginning.
 */
const BY_JOB = `o.archived_at >= coalesce(o.closed_at, o.updated_at) + interval '14 days'`
const ARCHIVED = `case
  when o.source = 'sandbox' then coalesce(${at('o.archived_at')}, ${at('o.inserted_at')})
  when not (s.status = 'closed' and ${BY_JOB}) then ${at('o.archived_at')} end`

/** Conversations, their messages, mentions and files. */
export const CONVERSATIONS: Conversion[] = [
  {
    table: 'conversations',
    reads: 'conversations',
    sql: `
insert into conversations (account_id, id, customer_id, inbox_id, assignee_id, source, subject, status, priority, read, metadata,
  created_at, updated_at, last_activity_at, closed_at, archived_at, first_replied_at, reply_email)
select o.account_id, o.id, c.id, coalesce(i.id, p.id), u.id,
  case when o.source is null then 'chat' when o.source in ('chat', 'slack', 'email', 'sms', 'api', 'sandbox') then o.source else 'api' end,
  nullif(o.subject, ''), s.status, case when o.priority = 'priority' then 'priority' else 'not_priority' end, coalesce(o.read, false),
  nullif(${metadata('o.metadata')}, '{}'), ${created('o')},
  coalesce(${at('o.last_activity_at')}, (select max(${at('m.inserted_at')}) from old_messages m where m.conversation_id = o.id), ${at('o.inserted_at')}),
  case when s.status = 'closed' then coalesce(${at('o.closed_at')}, ${at('o.updated_at')}) end, ${ARCHIVED}, ${at('o.first_replied_at')}, c.email
from old_conversations o
join accounts a on a.id = o.account_id
cross join lateral (select case when o.status in ('open', 'closed') then o.status when o.closed_at is not null then 'closed' else 'open' end as status) s
join inboxes p on p.account_id = o.account_id and p.is_primary
left join inboxes i on i.account_id = o.account_id and i.id = o.inbox_id
left join users u on u.account_id = o.account_id and u.id = o.assignee_id
join lateral (
  select c.id, c.email from customers c where c.account_id = o.account_id and c.id = coalesce(
    (select k.id from customers k where k.account_id = o.account_id and k.id = o.customer_id),
    (select k.id from old_messages m join customers k on k.account_id = o.account_id and k.id = m.customer_id
     where m.conversation_id = o.id group by k.id order by count(*) desc, k.id limit 1),
    ${derivedId(`'customer of ' || o.id`)})) c on true
on conflict (account_id, id) do update set assignee_id = excluded.assignee_id, status = excluded.status, priority = excluded.priority,
  read = excluded.read, updated_at = excluded.updated_at, last_activity_at = greatest(conversations.last_activity_at, excluded.last_activity_at),
  closed_at = excluded.closed_at, archived_at = excluded.archived_at, snoozed_at = null, snoozed_until = null, version = conversations.version + 1
where excluded.updated_at > conversations.updated_at`,
  },
  {
    table: 'conversations',
    // Earlier versions took over what the job archived.
    sql: `
update conversations v set archived_at = null, version = v.version + 1
from old_conversations o join old_accounts a on a.id = o.account_id
where v.account_id = o.account_id and v.id = o.id and v.source <> 'sandbox' and v.status = 'closed' and v.archived_at = ${at('o.archived_at')} and ${BY_JOB}`,
  },
  {
    table: 'messages',
    reads: 'messages',
    slices: SLICES,
    // Both sides named: a public reply is the customer's, all else the user's. A customer of another account is the
    // conversation's own, so that nothing looks as if the team had written it.
    sql: `
with placed as (
  select o.*, v.account_id as account, v.customer_id as owner, v.read as is_read, v.updated_at as conversation_updated_at,
    case when o.type in ('reply', 'note', 'bot') then o.type else 'reply' end as kind, u.id as author, k.id as writer
  from old_messages o
  join conversations v on v.id = o.conversation_id
  join old_accounts a on a.id = v.account_id
  left join users u on u.account_id = v.account_id and u.id = o.user_id
  left join customers k on k.account_id = v.account_id and k.id = o.customer_id
  where o.conversation_id between $1::uuid and $2::uuid),
sided as (
  select p.*,
    case when p.kind = 'note' then true else coalesce(p.private, p.user_id is not null and p.customer_id is null) end as is_private,
    case when p.by_team or p.customer_id is null then null else coalesce(p.writer, p.owner) end as customer,
    case when p.by_team then p.author end as author_id
  from (select *, user_id is not null and (customer_id is null or kind <> 'reply' or coalesce(private, false)) as by_team from placed) p),
ordered as (
  select s.*,
    row_number() over (partition by s.conversation_id order by s.inserted_at, s.ord, s.id) as position,
    min(case when s.customer is null and not s.is_private then s.inserted_at end) over (
      partition by s.conversation_id order by s.inserted_at, s.ord, s.id rows between 1 following and unbounded following) as next_reply_at
  from sided s),
fresh as (
  select o.*, coalesce((select max(number) from messages m where m.account_id = o.account and m.conversation_id = o.conversation_id), 0)
    + row_number() over (partition by o.conversation_id order by o.position) as new_number
  from ordered o where not exists (select from messages m where m.account_id = o.account and m.id = o.id))
insert into messages (account_id, id, conversation_id, number, body, type, private, source, content_type, customer_id, user_id, sent_at, seen_at,
  metadata, created_at)
select account, id, conversation_id, new_number, case when length(body) > ${LONG_BODY} then left(body, ${CUT_BODY}) else body end, kind, is_private,
  case when source in ('chat', 'slack', 'mattermost', 'email', 'sms', 'api', 'sandbox') then source when source is null then 'chat' else 'api' end,
  coalesce(content_type, 'text'), customer, author_id, ${at('coalesce(sent_at, inserted_at)')},
  case when customer is null then ${at('seen_at')}
       else coalesce(${at('seen_at')}, ${at('next_reply_at')}, case when is_read then greatest(conversation_updated_at, ${at('inserted_at')}) end) end,
  nullif(${metadata('metadata')} || case when subject is null then '{}' else jsonb_build_object('papercups', jsonb_build_object('subject', subject)) end, '{}'),
  ${at('inserted_at')}
from fresh order by conversation_id, new_number on conflict do nothing`,
  },
  {
    table: 'conversations',
    reads: 'messages',
    // The old value also counted notes and bots. Where the reply is gone, because deleting a user deleted their
    // messages, the old value stays, unless another message was written at that time.
    sql: `
update conversations v set last_number = n.last, version = greatest(v.version, n.last),
  first_replied_at = coalesce(n.first_reply, case when not n.is_of_other then v.first_replied_at end)
from (
  select m.account_id, m.conversation_id, max(m.number) as last,
    min(m.created_at) filter (where m.user_id is not null and not m.private and m.type = 'reply') as first_reply,
    bool_or(m.created_at = w.first_replied_at) as is_of_other
  from messages m join old_conversations o on o.id = m.conversation_id
  join conversations w on w.account_id = m.account_id and w.id = m.conversation_id group by 1, 2) n
where v.account_id = n.account_id and v.id = n.conversation_id and (v.last_number <> n.last
  or v.first_replied_at is distinct from coalesce(n.first_reply, case when not n.is_of_other then v.first_replied_at end))`,
  },
  {
    table: 'mentions',
    sql: `
insert into mentions (account_id, id, conversation_id, message_id, user_id, seen_at, created_at)
select distinct on (m.account_id, m.id, u.id) m.account_id, o.id, m.conversation_id, m.id, u.id,
  ${at('max(o.seen_at) over (partition by m.id, u.id)')}, ${at('o.inserted_at')}
from old_mentions o join messages m on m.id = o.message_id join old_accounts a on a.id = m.account_id
join users u on u.account_id = m.account_id and u.id = o.user_id
order by m.account_id, m.id, u.id, o.inserted_at, o.ord on conflict do nothing`,
  },
  {
    table: 'conversations',
    sql: `
update conversations v set unseen_mention_user_ids = n.users
from (select m.account_id, m.conversation_id, array_agg(distinct m.user_id order by m.user_id) as users
      from mentions m join users u on u.account_id = m.account_id and u.id = m.user_id
      join old_conversations o on o.id = m.conversation_id
      where m.seen_at is null and u.disabled_at is null and u.archived_at is null group by 1, 2) n
where v.account_id = n.account_id and v.id = n.conversation_id and v.unseen_mention_user_ids <> n.users`,
  },
  {
    table: 'files',
    // Their bytes follow: until then a file has no size.
    sql: `
insert into files (account_id, id, key, filename, content_type, size, user_id, customer_id, created_at, attached_at)
select o.account_id, o.id, o.account_id || '/' || o.id, coalesce(nullif(btrim(regexp_replace(o.filename, '[\\\\/\\s[:cntrl:]]+', '-', 'g')), ''), 'file'),
  'application/octet-stream', 0, u.id, c.id, ${at('o.inserted_at')}, ${at('o.inserted_at')}
from old_files o join accounts a on a.id = o.account_id
left join users u on u.account_id = o.account_id and u.id = o.user_id
left join customers c on c.account_id = o.account_id and c.id = o.customer_id on conflict do nothing`,
  },
  {
    table: 'message_files',
    sql: `
insert into message_files (account_id, message_id, file_id, position)
select m.account_id, m.id, f.id, row_number() over (partition by m.id order by o.inserted_at, o.ord) - 1
from (select distinct on (message_id, file_id) * from old_message_files order by message_id, file_id, ord) o
join messages m on m.id = o.message_id join files f on f.account_id = m.account_id and f.id = o.file_id on conflict do nothing`,
  },
]
