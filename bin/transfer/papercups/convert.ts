import { FIRST_EVENTS, WEBHOOK_EVENTS } from '#contract/developers/webhooks.ts'
import { CUT_BODY, LONG_BODY } from '../moving-in/move-in.ts'

/**
 * What becomes of Papercups' rows, as SQL over the staged tables `old_…`. Ids stay. Rows that exist in Parley already are
 * left as they are, except customers and conversations that changed in Papercups since: so a second import adds what is
 * new. What no statement takes is set aside afterwards.
 */
interface Conversion {
  /** The table that is filled. */
  table: string
  sql: string
}

/** Times of Papercups are in UTC, without a zone. */
const at = (column: string) => `${column} at time zone 'UTC'`
const created = (row: string) => `${at(`${row}.inserted_at`)}, ${at(`${row}.updated_at`)}`
/** Text without the words that old widgets sent for "nothing". */
const text = (column: string) =>
  `case when btrim(${column}) in ('', 'null', 'undefined') then null else btrim(${column}) end`
const link = (column: string) => `case when ${column} ~* '^https?://' then ${column} end`
/** Metadata that is no object is kept under a name of its own. */
const metadata = (column: string) => `case when ${column} is null or jsonb_typeof(${column}) = 'null' then '{}'::jsonb
    when jsonb_typeof(${column}) = 'object' then ${column} else jsonb_build_object('papercups', jsonb_build_object('metadata', ${column})) end`
const quotedList = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ')
const derivedId = (expression: string) => `md5(${expression})::uuid`

const ACCOUNTS: Conversion[] = [
  {
    table: 'accounts',
    sql: `
insert into accounts (id, company_name, company_logo_url, time_zone, subscription_plan, settings, working_hours, created_at, updated_at)
select id, coalesce(nullif(btrim(company_name), ''), 'Unnamed account'), ${link('company_logo_url')}, nullif(time_zone, ''),
  case when subscription_plan in ('starter', 'lite', 'team') then subscription_plan else 'team' end,
  case when jsonb_typeof(settings) = 'object' then (
    select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(settings)
    where jsonb_typeof(value) <> 'null' and key in ('disable_automated_reply_emails', 'conversation_reminders_enabled',
      'conversation_reminder_hours_interval', 'max_num_conversation_reminders')) else '{}' end,
  (select coalesce(jsonb_agg(jsonb_build_object('day', hours ->> 'day', 'start_minute', (hours ->> 'start_minute')::int,
      'end_minute', least(1439, (hours ->> 'end_minute')::int)) order by n), '[]')
   from unnest(working_hours) with ordinality as entries (hours, n)
   where hours ->> 'day' in ('everyday', 'weekdays', 'weekends', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday')
     and hours ->> 'start_minute' ~ '^\\d{1,4}$' and hours ->> 'end_minute' ~ '^\\d{1,4}$'
     and (hours ->> 'start_minute')::int < 1440),
  ${created('o')}
from old_accounts o on conflict do nothing`,
  },
  {
    table: 'users',
    // Addresses were looked up in lower case, so of two that differ only in case, nobody could sign in with the other.
    sql: `
with ranked as (
  select *, lower(btrim(email)) as address,
    row_number() over (partition by lower(btrim(email)) order by (email = lower(btrim(email))) desc, inserted_at, id) as rank
  from old_users where email is not null and id < 2147483648)
insert into users (account_id, id, email, password_hash, role, full_name, display_name, profile_photo_url, disabled_at,
  archived_at, email_verified_at, created_at, updated_at) overriding system value
select o.account_id, o.id, case when rank = 1 then address else 'double-' || o.id || '-' || address end,
  coalesce(o.password_hash, current_setting('parley.unknown_password')), case when o.role = 'admin' then 'admin' else 'user' end,
  nullif(btrim(p.full_name), ''), nullif(btrim(p.display_name), ''), ${link('p.profile_photo_url')},
  case when rank > 1 then now() else ${at('o.disabled_at')} end, ${at('o.archived_at')}, ${at('o.email_confirmed_at')}, ${created('o')}
from ranked o
join accounts a on a.id = o.account_id
left join lateral (select * from old_user_profiles where user_id = o.id order by ord limit 1) p on true
on conflict do nothing`,
  },
  {
    table: 'user_settings',
    sql: `
insert into user_settings (account_id, user_id, id, email_alert_on_new_message, email_alert_on_new_conversation, expo_push_token, created_at, updated_at)
select u.account_id, u.id, o.id, coalesce(o.email_alert_on_new_message, false), coalesce(o.email_alert_on_new_conversation, false),
  nullif(o.expo_push_token, ''), ${created('o')}
from old_user_settings o join old_users w on w.id = o.user_id join users u on u.id = o.user_id and u.account_id = w.account_id
on conflict do nothing`,
  },
  {
    table: 'user_invitations',
    // The id of the old invitation is the token of its link. Valid ones need somebody who invited: the oldest admin.
    sql: `
insert into user_invitations (account_id, id, created_by, expires_at, token_hash, created_at)
select o.account_id, o.id, (select u.id from users u where u.account_id = o.account_id and u.role = 'admin'
  and u.disabled_at is null and u.archived_at is null order by u.id limit 1),
  ${at('o.expires_at')}, sha256(convert_to(o.id::text, 'UTF8')), ${at('o.inserted_at')}
from old_user_invitations o join accounts a on a.id = o.account_id
where ${at('o.expires_at')} > now() on conflict do nothing`,
  },
]

const INBOXES: Conversion[] = [
  {
    table: 'inboxes',
    sql: `
with ranked as (
  select *, row_number() over (partition by account_id order by coalesce(is_primary, false) desc, inserted_at, id) as rank from old_inboxes)
insert into inboxes (account_id, id, name, description, slug, is_primary, is_private, created_at, updated_at)
select o.account_id, o.id, coalesce(nullif(btrim(o.name), ''), 'Inbox'), o.description, o.slug,
  rank = 1 and not exists (select from inboxes i where i.account_id = o.account_id and i.is_primary),
  coalesce(o.is_private, false), ${created('o')}
from ranked o join accounts a on a.id = o.account_id on conflict do nothing`,
  },
  {
    table: 'inboxes',
    sql: `
insert into inboxes (account_id, id, name, is_primary, created_at, updated_at)
select o.id, ${derivedId(`'primary inbox of ' || o.id`)}, 'Primary Inbox', true, ${created('o')}
from old_accounts o where not exists (select from inboxes i where i.account_id = o.id)`,
  },
  {
    table: 'widget_settings',
    // Those without an inbox are older than inboxes: the last changed one was in use.
    sql: `
with candidates as (
  select distinct on (i.account_id, i.id) i.account_id as account, i.id as inbox, w.*
  from inboxes i join old_accounts a on a.id = i.account_id
  left join old_widget_settings w on w.account_id = i.account_id and (w.inbox_id = i.id or (w.inbox_id is null and i.is_primary))
  order by i.account_id, i.id, (w.inbox_id is null), w.updated_at desc, w.id)
insert into widget_settings (account_id, id, inbox_id, color, title, subtitle, greeting, away_message, new_message_placeholder,
  email_input_placeholder, new_messages_notification_text, base_url, host, pathname, last_seen_at, show_agent_availability,
  agent_available_text, agent_unavailable_text, require_email_upfront, is_open_by_default, is_branding_hidden, icon_variant,
  custom_icon_url, iframe_url_override, created_at, updated_at)
select c.account, coalesce(c.id, ${derivedId(`'widget of ' || c.inbox`)}), c.inbox, c.color, c.title, c.subtitle, c.greeting, c.away_message, c.new_message_placeholder,
  c.email_input_placeholder, c.new_messages_notification_text, c.base_url, c.host, c.pathname, ${at('c.last_seen_at')},
  coalesce(c.show_agent_availability, false), c.agent_available_text, c.agent_unavailable_text, coalesce(c.require_email_upfront, false),
  coalesce(c.is_open_by_default, false), coalesce(c.is_branding_hidden, false), case when c.icon_variant = 'filled' then 'filled' else 'outlined' end,
  c.custom_icon_url, c.iframe_url_override, coalesce(${at('c.inserted_at')}, now()), coalesce(${at('c.updated_at')}, now())
from candidates c on conflict do nothing`,
  },
]

const CUSTOMERS: Conversion[] = [
  {
    table: 'companies',
    sql: `
insert into companies (account_id, id, name, external_id, website_url, description, logo_image_url, industry, slack_channel_id,
  slack_channel_name, slack_team_id, slack_team_name, metadata, created_at, updated_at)
select o.account_id, o.id, coalesce(nullif(btrim(o.name), ''), 'Unnamed company'), o.external_id, o.website_url, o.description,
  ${link('o.logo_image_url')}, o.industry, o.slack_channel_id, o.slack_channel_name, o.slack_team_id, o.slack_team_name,
  ${metadata('o.metadata')}, ${created('o')}
from old_companies o join accounts a on a.id = o.account_id on conflict do nothing`,
  },
  {
    table: 'customers',
    // Of several customers with one external id, Papercups answered with the one changed last. The others keep theirs in
    // their metadata: they may be different people of two websites, so they are not merged.
    sql: `
with tidy as (
  select o.*, ${text('o.external_id')} as tidy_external_id, row_number() over (
    partition by o.account_id, ${text('o.external_id')} order by o.updated_at desc, o.id) as rank
  from old_customers o), ready as (
  select t.*, t.tidy_external_id is not null and t.rank = 1 and not exists (
    select from customers c where c.account_id = t.account_id and c.external_id = t.tidy_external_id and c.id <> t.id) as has_external_id
  from tidy t)
insert into customers (account_id, id, name, email, phone, external_id, profile_photo_url, company_id, first_seen, last_seen_at,
  browser, browser_version, browser_language, os, ip, current_url, host, pathname, screen_height, screen_width, lib, time_zone,
  metadata, origin, created_at, updated_at)
select o.account_id, o.id, ${text('o.name')}, ${text('o.email')}, ${text('o.phone')}, case when o.has_external_id then o.tidy_external_id end,
  ${link('o.profile_photo_url')}, c.id, coalesce(o.first_seen, o.inserted_at::date),
  coalesce(${at('o.last_seen_at')}, ${at('o.last_seen::timestamp')}, ${at('o.updated_at')}), o.browser, o.browser_version, o.browser_language, o.os, o.ip,
  o.current_url, o.host, o.pathname, o.screen_height, o.screen_width, o.lib, o.time_zone,
  ${metadata('o.metadata')} || case when o.tidy_external_id is null or o.has_external_id then '{}'
    else jsonb_build_object('papercups', jsonb_build_object('external_id', o.tidy_external_id)) end,
  'browser', ${created('o')}
from ready o join accounts a on a.id = o.account_id left join companies c on c.account_id = o.account_id and c.id = o.company_id
on conflict (account_id, id) do update set name = excluded.name, email = excluded.email, phone = excluded.phone,
  profile_photo_url = excluded.profile_photo_url, company_id = excluded.company_id, last_seen_at = excluded.last_seen_at,
  current_url = excluded.current_url, host = excluded.host, pathname = excluded.pathname, metadata = excluded.metadata,
  updated_at = excluded.updated_at
where excluded.updated_at > customers.updated_at and customers.merged_into is null and customers.deleted_at is null`,
  },
  {
    table: 'customers',
    // Conversations whose customer is missing, and to which no customer of the account has written.
    sql: `
insert into customers (account_id, id, first_seen, last_seen_at, metadata, origin, created_at, updated_at)
select o.account_id, ${derivedId(`'customer of ' || o.id`)}, o.inserted_at::date, ${at('o.updated_at')}, '{}', 'browser', ${created('o')}
from old_conversations o join accounts a on a.id = o.account_id
where not exists (select from customers c where c.account_id = o.account_id and c.id = o.customer_id)
  and not exists (select from old_messages m join customers c on c.account_id = o.account_id and c.id = m.customer_id where m.conversation_id = o.id)
on conflict do nothing`,
  },
]

const CONVERSATIONS: Conversion[] = [
  {
    table: 'conversations',
    sql: `
insert into conversations (account_id, id, customer_id, inbox_id, assignee_id, source, subject, status, priority, read, metadata,
  created_at, updated_at, last_activity_at, closed_at, archived_at, first_replied_at, reply_email)
select o.account_id, o.id, c.id, coalesce(i.id, p.id), u.id,
  case when o.source is null then 'chat' when o.source in ('chat', 'slack', 'email', 'sms', 'api', 'sandbox') then o.source else 'api' end,
  nullif(o.subject, ''), s.status, case when o.priority = 'priority' then 'priority' else 'not_priority' end, coalesce(o.read, false),
  nullif(${metadata('o.metadata')}, '{}'), ${created('o')},
  coalesce(${at('o.last_activity_at')}, (select max(${at('m.inserted_at')}) from old_messages m where m.conversation_id = o.id), ${at('o.inserted_at')}),
  case when s.status = 'closed' then coalesce(${at('o.closed_at')}, ${at('o.updated_at')}) end, ${at('o.archived_at')}, ${at('o.first_replied_at')}, c.email
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
    table: 'messages',
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
  left join customers k on k.account_id = v.account_id and k.id = o.customer_id),
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

const RECORDS: Conversion[] = [
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

/** In order: each refers only to what those before it have filled. */
export const CONVERSIONS: Conversion[] = [...ACCOUNTS, ...INBOXES, ...CUSTOMERS, ...CONVERSATIONS, ...RECORDS]
