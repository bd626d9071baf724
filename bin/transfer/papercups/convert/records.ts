import { FIRST_EVENTS, WEBHOOK_EVENTS } from '#contract/developers/webhooks.ts'
import type { Conversion } from '../../moving-in/reader.ts'
import { at, created } from './expressions.ts'

const quotedList = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ')

/** Tags, notes, issues, saved replies, and what developers have set up. */
export const RECORDS: Conversion[] = [
  {
    table: 'tags',
    sql: `
insert into tags (account_id, id, name, description, color, created_at, updated_at)
select a.id, o.id, o.name, o.description, o.color, ${created('o')}
from old_tags o left join old_users u on u.id = o.creator_id join accounts a on a.id = coalesce(o.account_id, u.account_id)
order by o.inserted_at, o.id on conflict do nothing`,
  },
  {
    table: 'conversation_tags',
    sql: `
insert into conversation_tags (account_id, conversation_id, tag_id, created_at)
select v.account_id, v.id, t.id, min(${at('o.inserted_at')})
from old_conversation_tags o join conversations v on v.id = o.conversation_id join old_accounts a on a.id = v.account_id
join old_tags n on n.id = o.tag_id join tags t on t.account_id = v.account_id and (t.id = n.id or t.name = n.name)
group by 1, 2, 3 on conflict do nothing`,
  },
  {
    table: 'customer_tags',
    sql: `
insert into customer_tags (account_id, customer_id, tag_id, created_at)
select c.account_id, c.id, t.id, min(${at('o.inserted_at')})
from old_customer_tags o join customers c on c.id = o.customer_id join old_accounts a on a.id = c.account_id
join old_tags n on n.id = o.tag_id join tags t on t.account_id = c.account_id and (t.id = n.id or t.name = n.name)
group by 1, 2, 3 on conflict do nothing`,
  },
  {
    table: 'customer_notes',
    sql: `
insert into customer_notes (account_id, id, customer_id, author_id, body, created_at, updated_at)
select o.account_id, o.id, c.id, u.id, o.body, ${created('o')}
from old_notes o join customers c on c.account_id = o.account_id and c.id = o.customer_id
join users u on u.account_id = o.account_id and u.id = o.author_id on conflict do nothing`,
  },
  {
    table: 'issues',
    sql: `
insert into issues (account_id, id, title, body, state, github_issue_url, creator_id, assignee_id, finished_at, closed_at, created_at, updated_at)
select a.id, o.id, o.title, o.body, case when o.state in ('unstarted', 'in_progress', 'in_review', 'done', 'closed') then o.state else 'unstarted' end,
  o.github_issue_url, c.id, u.id, ${at('o.finished_at')}, ${at('o.closed_at')}, ${created('o')}
from old_issues o left join old_users w on w.id = o.creator_id join accounts a on a.id = coalesce(o.account_id, w.account_id)
left join users c on c.account_id = a.id and c.id = o.creator_id left join users u on u.account_id = a.id and u.id = o.assignee_id
on conflict do nothing`,
  },
  {
    table: 'customer_issues',
    sql: `
insert into customer_issues (account_id, customer_id, issue_id, created_at)
select c.account_id, c.id, i.id, min(${at('o.inserted_at')})
from old_customer_issues o join customers c on c.id = o.customer_id join old_accounts a on a.id = c.account_id
join issues i on i.account_id = c.account_id and i.id = o.issue_id group by 1, 2, 3 on conflict do nothing`,
  },
  {
    table: 'saved_replies',
    // Agents type the name after a slash, so no name has one.
    sql: `
with named as (
  select *, coalesce(nullif(btrim(replace(name, '/', '')), ''), 'reply') as tidy,
    row_number() over (partition by account_id, coalesce(nullif(btrim(replace(name, '/', '')), ''), 'reply') order by (name like '%/%'), inserted_at, id) as rank
  from old_canned_responses)
insert into saved_replies (account_id, id, name, content, created_at, updated_at)
select o.account_id, o.id, case when rank = 1 then tidy else tidy || ' (' || rank || ')' end, o.content, ${created('o')}
from named o join accounts a on a.id = o.account_id on conflict do nothing`,
  },
  {
    table: 'event_subscriptions',
    // Switched off, so that receivers do not hear of everything twice while the old server still runs.
    sql: `
insert into event_subscriptions (account_id, id, webhook_url, verified, events, switched_off_at, created_at, updated_at)
select o.account_id, o.id, o.webhook_url, coalesce(o.verified, false),
  array(select distinct e from unnest(array[${quotedList(FIRST_EVENTS)}] || regexp_split_to_array(btrim(coalesce(o.scope, '')), '[\\s,]+')) e
        where e in (${quotedList(WEBHOOK_EVENTS)}) order by e),
  now(), ${created('o')}
from old_event_subscriptions o join accounts a on a.id = o.account_id where o.webhook_url ~* '^https?://' on conflict do nothing`,
  },
  {
    table: 'functions',
    // Not running: their code calls the old server with an old key. The team deploys them again.
    sql: `
insert into functions (account_id, id, name, description, code, status, creator_id, created_at, updated_at)
select a.id, o.id, coalesce(nullif(btrim(o.name), ''), 'Function'), o.description, o.code, 'pending', u.id, ${created('o')}
from old_lambdas o left join old_users w on w.id = o.creator_id join accounts a on a.id = coalesce(o.account_id, w.account_id)
left join users u on u.account_id = a.id and u.id = o.creator_id where o.code is not null on conflict do nothing`,
  },
]
