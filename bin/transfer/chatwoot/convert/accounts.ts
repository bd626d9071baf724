import { SUBSTITUTE_NUMBERS } from '../../moving-in/convert.ts'
import type { Conversion } from '../../moving-in/reader.ts'
import { at, created, newId } from '../expressions.ts'

/** Chatwoot's numbers of languages that Parley speaks. */
const LANGUAGES = { 0: 'en', 1: 'ar', 2: 'nl', 3: 'fr', 4: 'de', 12: 'es', 16: 'pt', 21: 'vi' }
const LANGUAGE = `case a.locale ${Object.entries(LANGUAGES)
  .map(([number, language]) => `when ${number} then '${language}'`)
  .join(' ')} end`

/** Accounts and their people. */
export const ACCOUNTS: Conversion[] = [
  {
    table: 'accounts',
    // Working hours are those of the inbox with most conversations among those that have some: Parley's are the company's.
    sql: `
insert into accounts (id, company_name, subscription_plan, time_zone, working_hours, created_at, updated_at)
select a.account_id, coalesce(nullif(btrim(o.name), ''), 'Unnamed account'), 'team', case when h.hours is not null then h.timezone end,
  coalesce(h.hours, '[]'), ${created('o')}
from old_accounts o join moved_accounts a on a.id = o.id
left join lateral (
  select nullif(btrim(i.timezone), '') as timezone, (
    select jsonb_agg(jsonb_build_object('day', d.day, 'start_minute', d.start_minute, 'end_minute', d.end_minute) order by d.day_of_week)
    from hours_of_days d where d.inbox_id = i.id) as hours
  from old_inboxes i where i.account_id = o.id and i.working_hours_enabled
  order by (select count(*) from threads t where t.inbox = i.id) desc, i.id limit 1) h on true
on conflict do nothing`,
  },
  {
    table: 'users',
    // Devise hashed without a pepper, so the old password opens the account here.
    sql: `
insert into users (account_id, id, email, password_hash, role, full_name, display_name, disabled_at, archived_at, email_verified_at, created_at, updated_at)
select distinct on (p.id) p.account_id, p.id, p.address,
  case when p.is_member and u.encrypted_password ~ '^\\$2[abxy]\\$\\d\\d\\$.{53}$' then u.encrypted_password else current_setting('parley.unknown_password') end,
  case when p.is_member and exists (select from old_account_users m where m.account_id = p.account and m.user_id = p.user_id and m.role = 1)
    then 'admin' else 'user' end,
  p.full_name, p.display_name, case when not p.is_member then now() end, case when not p.is_member then now() end,
  case when p.is_member then ${at('u.confirmed_at')} end, ${created('u')}
from people p left join old_users u on u.id = p.user_id
order by p.id, p.user_id on conflict do nothing`,
  },
  {
    table: 'users',
    // Who was removed from the account since an earlier run must not keep access by it.
    sql: `
update users set disabled_at = now(), archived_at = now()
from people p where users.account_id = p.account_id and users.id = p.id and users.email <> p.former_address
  and (p.id = p.user_id or p.id >= ${SUBSTITUTE_NUMBERS}) and not p.is_member and users.disabled_at is null`,
  },
  {
    table: 'user_settings',
    sql: `
insert into user_settings (account_id, user_id, id, email_alert_on_new_conversation, email_alert_on_new_message, email_alert_on_mention,
  language, mail_signature)
select u.account_id, u.id, ${newId('user settings', `p.account || ' ' || p.user_id`)}, coalesce(n.email_flags, 0) & 1 > 0,
  coalesce(n.email_flags, 0) & 20 > 0, coalesce(n.email_flags, 8) & 8 > 0, ${LANGUAGE}, nullif(btrim(w.message_signature), '')
from people p join users u on u.account_id = p.account_id and u.id = p.id join old_accounts a on a.id = p.account
join old_users w on w.id = p.user_id
left join lateral (select email_flags from old_notification_settings where account_id = p.account and user_id = p.user_id order by id limit 1) n on true
where p.is_member on conflict do nothing`,
  },
]

/**
 * The opening hours of inboxes by day (`hours_of_days`), of which Parley's last minute is still open. Days that end before
 * they begin, or lack a time, are left out.
 */
export const HOURS_OF_DAYS = `
create temporary table hours_of_days on commit drop as
select distinct on (inbox_id, day_of_week) id, inbox_id, day_of_week,
  (array['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'])[day_of_week + 1] as day, start_minute, end_minute
from (
  select *, case when open_all_day then 0 else open_hour * 60 + open_minutes end as start_minute,
    case when open_all_day then 1439 else least(1439, close_hour * 60 + close_minutes - 1) end as end_minute
  from old_working_hours where not coalesce(closed_all_day, false)) h
where day_of_week between 0 and 6 and start_minute between 0 and 1439 and end_minute > start_minute
order by inbox_id, day_of_week, id`
