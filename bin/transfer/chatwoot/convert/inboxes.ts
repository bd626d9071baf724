import type { Conversion } from '../../moving-in/reader.ts'
import { created, newId } from '../expressions.ts'

const field = (name: string) =>
  `(w.pre_chat_form_enabled and jsonb_path_exists(w.pre_chat_form_options,
    '$.pre_chat_fields[*] ? (@.name == "${name}" && @.enabled == true && @.required == true)'))`

/** Inboxes and their widgets. */
export const INBOXES: Conversion[] = [
  {
    table: 'inboxes',
    // The web chat with most conversations is the primary one; without a web chat, the inbox with most. An inbox that
    // believed only identities with a signature goes on so. Working hours of its own are in the company's time zone, so only
    // those of inboxes in it can be kept.
    sql: `
with ranked as (
  select o.*, a.account_id as new_account, row_number() over (partition by a.id
    order by (o.channel_type = 'Channel::WebWidget') desc, (select count(*) from threads t where t.inbox = o.id) desc, o.id) as rank
  from old_inboxes o join moved_accounts a on a.id = o.account_id)
insert into inboxes (account_id, id, name, description, is_primary, requires_signed_identity, working_hours, created_at, updated_at)
select o.new_account, ${newId('inboxes', 'o.id')}, coalesce(nullif(btrim(o.name), ''), 'Inbox'),
  'Chatwoot: ' || concat_ws(', ', regexp_replace(o.channel_type, '^Channel::', ''), coalesce(e.email, s.phone_number, x.phone_number, p.phone_number)),
  rank = 1 and not exists (select from inboxes i where i.account_id = o.new_account and i.is_primary),
  coalesce(w.hmac_mandatory and w.hmac_token <> '', false), h.hours, ${created('o')}
from ranked o
left join old_channel_web_widgets w on o.channel_type = 'Channel::WebWidget' and w.id = o.channel_id
left join old_channel_email e on o.channel_type = 'Channel::Email' and e.id = o.channel_id
left join old_channel_twilio_sms s on o.channel_type = 'Channel::TwilioSms' and s.id = o.channel_id
left join old_channel_sms x on o.channel_type = 'Channel::Sms' and x.id = o.channel_id
left join old_channel_whatsapp p on o.channel_type = 'Channel::Whatsapp' and p.id = o.channel_id
join accounts c on c.id = o.new_account
left join lateral (
  select jsonb_agg(jsonb_build_object('day', d.day, 'start_minute', d.start_minute, 'end_minute', d.end_minute) order by d.day_of_week) as hours
  from hours_of_days d where d.inbox_id = o.id and o.working_hours_enabled and c.time_zone = nullif(btrim(o.timezone), '')) h
  on h.hours is distinct from c.working_hours
order by o.id on conflict do nothing`,
  },
  {
    table: 'inboxes',
    sql: `
insert into inboxes (account_id, id, name, is_primary)
select account_id, ${newId('primary inboxes', 'id')}, 'Primary Inbox', true
from moved_accounts a where not exists (select from inboxes i where i.account_id = a.account_id)`,
  },
  {
    table: 'widget_settings',
    sql: `
insert into widget_settings (account_id, id, inbox_id, color, title, subtitle, greeting, away_message, is_hide_attachments,
  require_email_upfront, require_name_upfront, require_phone_upfront, created_at, updated_at)
select i.account_id, ${newId('widget settings', 'i.id')}, i.id, case when w.widget_color ~* '^#[0-9a-f]{6}$' then w.widget_color end,
  nullif(btrim(w.welcome_title), ''), nullif(btrim(w.welcome_tagline), ''),
  case when o.greeting_enabled then nullif(btrim(o.greeting_message), '') end, nullif(btrim(o.out_of_office_message), ''),
  coalesce(w.feature_flags, 7) & 1 = 0,
  coalesce(${field('emailAddress')} or (w.pre_chat_form_enabled and w.pre_chat_form_options ->> 'require_email' = 'true'), false),
  coalesce(${field('fullName')}, false), coalesce(${field('phoneNumber')}, false), i.created_at, i.updated_at
from inboxes i
join moved_accounts a on a.account_id = i.account_id
left join old_inboxes o on o.account_id = a.id and ${newId('inboxes', 'o.id')} = i.id
left join old_channel_web_widgets w on o.channel_type = 'Channel::WebWidget' and w.id = o.channel_id
on conflict do nothing`,
  },
]
