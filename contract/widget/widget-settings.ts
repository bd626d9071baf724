import * as z from 'zod/mini'
import { defineEvent } from '../event.ts'
import { GivenBoolean, ifAny, maybe, Text, Timestamp } from '../wire.ts'

const text = z.nullable(z.string())

/** Appearance and behaviour of an inbox's chat window. */
export const WidgetSettingsRow = z.object({
  id: z.string(),
  object: z.literal('widget_settings'),
  account_id: z.string(),
  inbox_id: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
  color: text,
  name: text,
  logo: text,
  title: text,
  subtitle: text,
  greeting: text,
  away_message: text,
  new_message_placeholder: text,
  email_input_placeholder: text,
  new_messages_notification_text: text,
  /** Comma-separated. */
  quick_reply_options: text,
  language: text,
  show_agent_availability: z.boolean(),
  agent_available_text: text,
  agent_unavailable_text: text,
  is_hide_voice: z.boolean(),
  is_hide_attachments: z.boolean(),
  require_email_upfront: z.boolean(),
  require_name_upfront: z.boolean(),
  require_phone_upfront: z.boolean(),
  use_company_profile_only: z.boolean(),
  is_open_by_default: z.boolean(),
  is_branding_hidden: z.boolean(),
  icon_variant: z.enum(['outlined', 'filled']),
  custom_icon_url: text,
  iframe_url_override: text,
  base_url: text,
})
export type WidgetSettingsRow = z.output<typeof WidgetSettingsRow>

const words = (limit: number) => maybe(Text(limit))
const yes = ifAny(GivenBoolean)

/** All settings of a chat window that admins choose, without the ids that identify it. */
export const WidgetSettingsChanges = z.object({
  color: words(40),
  name: words(255),
  logo: words(2000),
  title: words(255),
  subtitle: words(1000),
  greeting: words(5000),
  away_message: words(5000),
  new_message_placeholder: words(255),
  email_input_placeholder: words(255),
  new_messages_notification_text: words(255),
  quick_reply_options: words(2000),
  language: words(20),
  show_agent_availability: yes,
  agent_available_text: words(255),
  agent_unavailable_text: words(255),
  is_hide_voice: yes,
  is_hide_attachments: yes,
  require_email_upfront: yes,
  require_name_upfront: yes,
  require_phone_upfront: yes,
  use_company_profile_only: yes,
  is_open_by_default: yes,
  is_branding_hidden: yes,
  icon_variant: ifAny(z.enum(['outlined', 'filled'])),
  custom_icon_url: words(2000),
  iframe_url_override: words(2000),
  base_url: words(2000),
})
export type WidgetSettingsChanges = z.output<typeof WidgetSettingsChanges>

/** Where the widget of an inbox was last opened; all null if it never was. */
export const Installation = z.object({
  inbox_id: z.string(),
  host: text,
  pathname: text,
  last_seen_at: z.nullable(Timestamp),
})
export type Installation = z.output<typeof Installation>

/** The settings of a widget were changed. */
export const widgetSettingsUpdated = defineEvent('widget_settings:updated', {
  receivers: 'team',
  payload: { widget_settings: WidgetSettingsRow },
})
