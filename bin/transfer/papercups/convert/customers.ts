import type { Conversion } from '../../moving-in/reader.ts'
import { at, created, derivedId, link, metadata, text } from './expressions.ts'

/** Customers and their companies. */
export const CUSTOMERS: Conversion[] = [
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
    reads: 'customers',
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
