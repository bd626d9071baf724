import type { Conversion } from '../../moving-in/reader.ts'
import { at, created, metadata, newId, object, text } from '../expressions.ts'

/** Customers and their companies. */
export const CUSTOMERS: Conversion[] = [
  {
    table: 'companies',
    sql: `
insert into companies (account_id, id, name, website_url, description, created_at, updated_at)
select a.account_id, ${newId('companies', 'o.id')}, coalesce(nullif(btrim(o.name), ''), 'Unnamed company'),
  case when o.domain ~* '^[^\\s/]+\\.[^\\s/]+$' then 'https://' || lower(o.domain) end, o.description, ${created('o')}
from old_companies o join moved_accounts a on a.id = o.account_id on conflict do nothing`,
  },
  {
    table: 'customers',
    reads: 'contacts',
    // Never of origin "browser": such a customer's id opens their chats, and so does their external id.
    sql: `
insert into customers (account_id, id, name, email, phone, external_id, company_id, first_seen, last_seen_at, browser, browser_version,
  browser_language, os, ip, current_url, host, pathname, metadata, origin, field_sources, blocked_at, created_at, updated_at)
select k.account_id, k.customer_id, k.name, k.email, k.phone, case when k.keeps_external_id then k.external_id end, c.id,
  coalesce(o.created_at::date, current_date), coalesce(${at('o.last_activity_at')}, ${at('o.updated_at')}, now()),
  b.browser, b.browser_version, b.browser_language, b.os, coalesce(${text("x.a ->> 'updated_at_ip'")}, ${text("x.a ->> 'created_at_ip'")}),
  b.url, substring(b.url from '^https?://([^/?#]+)'), coalesce(substring(b.url from '^https?://[^/?#]+(/[^?#]*)'), case when b.url is not null then '/' end),
  m.metadata, 'import', m.sources || jsonb_strip_nulls(jsonb_build_object('name', case when k.name is not null then 'import' end,
    'email', case when k.email is not null and not k.are_claims then 'import' end,
    'phone', case when k.phone is not null and not k.are_claims then 'import' end,
    'external_id', case when k.keeps_external_id and not k.are_claims then 'import' end)),
  case when o.blocked then ${at('o.updated_at')} end, ${created('o')}
from people_outside k join old_contacts o on o.id = k.id
left join companies c on c.account_id = k.account_id and c.id = ${newId('companies', 'o.company_id')}
left join browsers b on b.contact_id = k.id
cross join lateral (select ${object('o.additional_attributes')} as a) x
cross join lateral (
  select metadata, (select coalesce(jsonb_object_agg('metadata.' || key, 'import'), '{}') from jsonb_object_keys(metadata) key) as sources
  from (select ${metadata(
    'o.custom_attributes',
    `jsonb_build_object('id', o.id, 'type', o.contact_type, 'location', nullif(o.location, ''), 'country_code', nullif(o.country_code, ''),
      'inboxes', k.inboxes, 'external_id', case when not k.keeps_external_id then k.external_id end,
      'attributes', nullif(x.a - 'updated_at_ip' - 'created_at_ip', '{}'))`,
  )} as metadata) w) m
on conflict (account_id, id) do update set name = excluded.name, email = excluded.email, phone = excluded.phone,
  company_id = excluded.company_id, last_seen_at = excluded.last_seen_at, current_url = excluded.current_url, host = excluded.host,
  pathname = excluded.pathname, metadata = excluded.metadata, field_sources = excluded.field_sources, blocked_at = coalesce(customers.blocked_at, excluded.blocked_at),
  updated_at = excluded.updated_at
where excluded.updated_at > customers.updated_at and customers.merged_into is null and customers.deleted_at is null`,
  },
  {
    table: 'customers',
    // For conversations that name nobody.
    sql: `
insert into customers (account_id, id, first_seen, last_seen_at, origin, created_at, updated_at)
select t.account_id, t.customer_id, coalesce(o.created_at::date, current_date), coalesce(${at('o.updated_at')}, now()), 'import', ${created('o')}
from threads t join old_conversations o on o.id = t.id where t.contact_id is null on conflict do nothing`,
  },
]
