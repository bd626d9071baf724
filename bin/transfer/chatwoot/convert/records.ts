import type { Conversion } from '../../moving-in/reader.ts'
import { at, created, newId } from '../expressions.ts'

const TAGGED = `old_taggings o join old_tags n on n.id = o.tag_id and o.context = 'labels'`
/** The tag of a name: labels may be written otherwise than what is on a row. */
const TAG_OF = (account: string) =>
  `join lateral (select t.id from tags t where t.account_id = ${account} and lower(t.name) = lower(n.name) order by (t.name = n.name) desc, t.id limit 1) g on true`

/** Webhook events of Chatwoot, and what comes close to them. */
const EVENTS = {
  message_created: 'message:created',
  message_updated: 'message:updated',
  conversation_created: 'conversation:created',
  conversation_updated: 'conversation:updated',
  conversation_status_changed: 'conversation:updated',
  contact_created: 'customer:updated',
  contact_updated: 'customer:updated',
}

/** The events that a webhook `o` had and Parley knows. */
export const EVENTS_OF = `array(select distinct e.ours from jsonb_array_elements_text(case when jsonb_typeof(o.subscriptions) = 'array' then o.subscriptions else '[]' end) name
  join (values ${Object.entries(EVENTS)
    .map(([theirs, ours]) => `('${theirs}', '${ours}')`)
    .join(', ')}) as e (theirs, ours) on e.theirs = name order by 1)`

/** Tags, notes, ratings, saved replies and webhooks. */
export const RECORDS: Conversion[] = [
  {
    table: 'tags',
    sql: `
insert into tags (account_id, id, name, description, color, created_at, updated_at)
select a.account_id, ${newId('labels', 'o.id')}, btrim(o.title), nullif(btrim(o.description), ''), pg_temp.tag_color(o.color), ${created('o')}
from old_labels o join moved_accounts a on a.id = o.account_id where btrim(o.title) <> ''
  and not exists (select from tags t where t.account_id = a.account_id and t.id = ${newId('labels', 'o.id')})
order by o.id on conflict do nothing`,
  },
  {
    table: 'tags',
    // Labels that were deleted, or that a program has set. Names are shared by all accounts: the account is that of the row.
    sql: `
with used as (
  select distinct v.account_id, v.account, n.id, n.name from ${TAGGED} join threads v on o.taggable_type = 'Conversation' and v.id = o.taggable_id
  union
  select distinct k.account_id, k.account, n.id, n.name from ${TAGGED} join people_outside k on o.taggable_type = 'Contact' and k.id = o.taggable_id)
insert into tags (account_id, id, name)
select account_id, ${newId('tags', `account || ' ' || id`)}, btrim(name) from used u
where btrim(name) <> '' and not exists (select from tags t where t.account_id = u.account_id and lower(t.name) = lower(u.name))
order by id on conflict do nothing`,
  },
  {
    table: 'conversation_tags',
    sql: `
insert into conversation_tags (account_id, conversation_id, tag_id, created_at)
select v.account_id, v.id, g.id, coalesce(min(${at('o.created_at')}), now())
from ${TAGGED} join threads t on o.taggable_type = 'Conversation' and t.id = o.taggable_id
join conversations v on v.account_id = t.account_id and v.id = t.uuid ${TAG_OF('v.account_id')}
group by 1, 2, 3 on conflict do nothing`,
  },
  {
    table: 'customer_tags',
    sql: `
insert into customer_tags (account_id, customer_id, tag_id, created_at)
select c.account_id, c.id, g.id, coalesce(min(${at('o.created_at')}), now())
from ${TAGGED} join people_outside k on o.taggable_type = 'Contact' and k.id = o.taggable_id
join customers c on c.account_id = k.account_id and c.id = k.customer_id ${TAG_OF('c.account_id')}
where c.merged_into is null and c.deleted_at is null
group by 1, 2, 3 on conflict do nothing`,
  },
  {
    table: 'customer_notes',
    sql: `
insert into customer_notes (account_id, id, customer_id, author_id, body, created_at, updated_at)
select c.account_id, ${newId('notes', 'o.id')}, c.id, u.id, o.content, ${created('o')}
from old_notes o join people_outside k on k.id = o.contact_id
join moved_accounts a on a.id = k.account and a.id = o.account_id
join customers s on s.account_id = k.account_id and s.id = k.customer_id
join customers c on c.account_id = k.account_id and c.id = coalesce(s.merged_into, s.id)
join people p on p.account = a.id and p.user_id = coalesce(o.user_id, 0)
join users u on u.account_id = a.account_id and u.id = p.id
where btrim(o.content) <> '' and s.deleted_at is null on conflict do nothing`,
  },
  {
    table: 'conversation_ratings',
    // One for each conversation: the latest.
    sql: `
insert into conversation_ratings (account_id, id, conversation_id, user_id, score, comment, created_at, updated_at)
select distinct on (v.id) v.account_id, ${newId('ratings', 'o.id')}, v.id, u.id, o.rating, nullif(btrim(o.feedback_message), ''), ${created('o')}
from old_csat_survey_responses o join threads t on t.id = o.conversation_id
join conversations v on v.account_id = t.account_id and v.id = t.uuid
left join people p on p.account = t.account and p.user_id = o.assigned_agent_id
left join users u on u.account_id = t.account_id and u.id = p.id
where o.rating between 1 and 5 order by v.id, o.created_at desc, o.id desc on conflict do nothing`,
  },
  {
    table: 'saved_replies',
    // Agents type the name after a slash, so no name has one.
    sql: `
with named as (
  select o.*, a.account_id as new_account, coalesce(nullif(btrim(replace(o.short_code, '/', '')), ''), 'reply') as tidy
  from old_canned_responses o join moved_accounts a on a.id = o.account_id),
ranked as (select *, row_number() over (partition by new_account, tidy order by (short_code like '%/%'), id) as rank from named)
insert into saved_replies (account_id, id, name, content, created_at, updated_at)
select o.new_account, ${newId('canned responses', 'o.id')}, case when rank = 1 then tidy else tidy || ' (' || rank || ')' end, o.content, ${created('o')}
from ranked o where btrim(o.content) <> '' on conflict do nothing`,
  },
  {
    table: 'event_subscriptions',
    // Not verified and switched off: what Parley sends looks otherwise, so somebody has to look at the receiver first.
    sql: `
insert into event_subscriptions (account_id, id, webhook_url, verified, events, switched_off_at, created_at, updated_at)
select a.account_id, ${newId('webhooks', 'o.id')}, o.url, false, e.events, now(), ${created('o')}
from old_webhooks o join moved_accounts a on a.id = o.account_id cross join lateral (select ${EVENTS_OF} as events) e
where o.url ~* '^https?://' and e.events <> '{}' on conflict do nothing`,
  },
]
