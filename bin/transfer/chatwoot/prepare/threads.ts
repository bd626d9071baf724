import { newId, object, text } from '../expressions.ts'

/**
 * The conversations of the accounts (`threads`) with their contact: deletion is asynchronous in Chatwoot and references
 * are not checked, so contacts and inboxes may be gone. Then it is the contact of the same browser or address, or the one
 * who wrote most in it.
 */
const THREADS = `
create temporary table threads on commit drop as
select o.id, coalesce(o.uuid, ${newId('conversations', 'o.id')}) as uuid, a.id as account, a.account_id, c.id as contact_id,
  coalesce(${newId('contacts', 'c.id')}, ${newId('customers of conversations', 'o.id')}) as customer_id,
  i.id as inbox, i.channel_type, coalesce(e.email, s.phone_number, x.phone_number, w.phone_number) as channel_address,
  case when i.id is null then 'chat' when i.channel_type = 'Channel::WebWidget' then 'chat' when i.channel_type = 'Channel::Email' then 'email'
    when i.channel_type = 'Channel::Sms' or (i.channel_type = 'Channel::TwilioSms' and coalesce(s.medium, 0) = 0) then 'sms' else 'api' end as source
from old_conversations o
join moved_accounts a on a.id = o.account_id
left join old_inboxes i on i.id = o.inbox_id and i.account_id = a.id
left join old_channel_email e on i.channel_type = 'Channel::Email' and e.id = i.channel_id
left join old_channel_twilio_sms s on i.channel_type = 'Channel::TwilioSms' and s.id = i.channel_id
left join old_channel_sms x on i.channel_type = 'Channel::Sms' and x.id = i.channel_id
left join old_channel_whatsapp w on i.channel_type = 'Channel::Whatsapp' and w.id = i.channel_id
left join old_contacts direct on direct.id = o.contact_id and direct.account_id = a.id
left join old_contact_inboxes ci on direct.id is null and ci.id = o.contact_inbox_id
left join old_contacts same on same.id = ci.contact_id and same.account_id = a.id
left join lateral (
  select k.id from old_messages m join old_contacts k on k.id = m.sender_id and k.account_id = a.id
  where direct.id is null and same.id is null and m.conversation_id = o.id and m.sender_type = 'Contact'
  group by k.id order by count(*) desc, k.id limit 1) most on true
left join old_contacts c on c.id = coalesce(direct.id, same.id, most.id);
create unique index on threads (id);
create index on threads (contact_id);
analyze threads`

/** The form of the names that Chatwoot makes up for anonymous visitors: quiet-river-417. */
const MADE_UP = '^[a-z]+-[a-z]+-[0-9]{1,4}$'

/**
 * The contacts that become customers (`people_outside`): visitors who only opened a page are left out. What somebody typed
 * into a web chat is a claim, unless the website has vouched for it. Of several contacts with one identifier the one with
 * the latest activity keeps it.
 */
const CONTACTS = `
create temporary table people_outside on commit drop as
with tidy as (
  select o.id, a.id as account, a.account_id, ${text('o.name')} as first_name, ${text('o.last_name')} as last_name,
    lower(${text('o.email')}) as email, ${text('o.phone_number')} as phone, ${text('o.identifier')} as external_id,
    coalesce(o.last_activity_at, o.updated_at) as seen_at, coalesce(i.are_claims, false) as are_claims, i.inboxes
  from old_contacts o join moved_accounts a on a.id = o.account_id
  left join lateral (
    select bool_and(b.channel_type = 'Channel::WebWidget' and not coalesce(ci.hmac_verified, false)) as are_claims,
      jsonb_agg(jsonb_build_object('inbox', b.name, 'source_id', ci.source_id) order by ci.id) as inboxes
    from old_contact_inboxes ci join old_inboxes b on b.id = ci.inbox_id where ci.contact_id = o.id) i on true),
kept as (
  select *, row_number() over (partition by account, external_id order by seen_at desc nulls last, id) as rank
  from tidy t where coalesce(email, phone, external_id) is not null
    or exists (select from threads v where v.contact_id = t.id)
    or exists (select from old_notes n where n.contact_id = t.id)
    or exists (select from old_taggings g where g.taggable_type = 'Contact' and g.taggable_id = t.id))
select id, account, account_id, ${newId('contacts', 'id')} as customer_id, email, phone, external_id, are_claims, inboxes,
  external_id is not null and rank = 1 and not exists (
    select from customers c where c.account_id = k.account_id and c.external_id = k.external_id and c.id <> ${newId('contacts', 'k.id')}) as keeps_external_id,
  case when coalesce(email, phone, external_id) is null and last_name is null and first_name ~ '${MADE_UP}' then null
    when last_name is null or right(lower(first_name), length(last_name)) = lower(last_name) then first_name
    else concat_ws(' ', first_name, last_name) end as name
from kept k;
create unique index on people_outside (id);
analyze people_outside`

/** What the browser of the latest chat of a contact said about itself (`browsers`). */
const BROWSERS = `
create temporary table browsers on commit drop as
select distinct on (t.contact_id) t.contact_id, b ->> 'browser_name' as browser, b ->> 'browser_version' as browser_version,
  b ->> 'platform_name' as os, a ->> 'browser_language' as browser_language,
  case when a ->> 'referer' ~* '^https?://' then a ->> 'referer' end as url
from threads t join old_conversations o on o.id = t.id
cross join lateral (select ${object('o.additional_attributes')} as a) x
cross join lateral (select case when jsonb_typeof(a -> 'browser') = 'object' then a -> 'browser' else '{}' end as b) y
where t.contact_id is not null and (a ? 'browser' or a ? 'referer')
order by t.contact_id, o.created_at desc, o.id desc;
create unique index on browsers (contact_id)`

export const THREAD_STEPS = [THREADS, CONTACTS, BROWSERS]
