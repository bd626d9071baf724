import type { Conversion } from '../../moving-in/reader.ts'
import { at, created, derivedId } from './expressions.ts'

/** Inboxes and their widgets. */
export const INBOXES: Conversion[] = [
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
