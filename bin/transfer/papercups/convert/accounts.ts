import type { Conversion } from '../../moving-in/reader.ts'
import { at, created, link } from './expressions.ts'

/** Accounts and their people. */
export const ACCOUNTS: Conversion[] = [
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
