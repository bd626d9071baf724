import * as z from 'zod/mini'
import { Timestamp } from './wire.ts'

const text = z.nullable(z.string())

/** How the chat window of one inbox looks and behaves. */
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
