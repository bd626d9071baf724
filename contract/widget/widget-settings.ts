import * as z from 'zod/mini'
import { defineEvent } from '../event.ts'
import { BooleanInput, ifAny, maybe, Text, Timestamp } from '../wire.ts'

const text = z.nullable(z.string())

/** Appearance and behaviour of an inbox's chat window. */
export const WidgetSettingsRow = z.object({
  id: z.string(),
  object: z.literal('widget_settings'),
  account_id: z.string(),
  inbox_id: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
  color: text.check(z.describe('A CSS colour, such as `#1677ff`.')),
  name: text.check(z.describe('Name of the company or inbox in the chat.')),
  logo: text.check(z.describe('URL of a picture.')),
  title: text.check(z.describe('At the top of the chat.')),
  subtitle: text.check(z.describe('Below the title.')),
  greeting: text.check(z.describe('First message of a new chat; not stored.')),
  away_message: text.check(z.describe('Shown instead of the greeting outside working hours.')),
  new_message_placeholder: text.check(z.describe('In the empty text field.')),
  email_input_placeholder: text.check(z.describe('In the empty field for the address.')),
  new_messages_notification_text: text.check(z.describe('On the notice beside the closed chat.')),
  quick_reply_options: text.check(z.describe('Comma-separated.')),
  language: text.check(z.describe('A language tag; null means the browser’s language.')),
  show_agent_availability: z.boolean().check(z.describe('Whether the chat says if somebody is there.')),
  agent_available_text: text.check(z.describe('Said while somebody is there.')),
  agent_unavailable_text: text.check(z.describe('Said while nobody is there.')),
  is_hide_voice: z.boolean().check(z.describe('Hides the microphone.')),
  is_hide_attachments: z.boolean().check(z.describe('Hides the button for files.')),
  require_email_upfront: z.boolean().check(z.describe('Asks for the address before the first message.')),
  require_name_upfront: z.boolean().check(z.describe('Asks for the name before the first message.')),
  require_phone_upfront: z.boolean().check(z.describe('Asks for the phone number before the first message.')),
  use_company_profile_only: z.boolean().check(z.describe('Shows the company instead of people.')),
  is_open_by_default: z.boolean().check(z.describe('Opens the chat when the page loads.')),
  is_branding_hidden: z.boolean().check(z.describe('Hides “Powered by”.')),
  offers_articles: z.boolean().check(z.describe('Shows articles of the help center before the first message.')),
  icon_variant: z.enum(['outlined', 'filled']).check(z.describe('Look of the button.')),
  custom_icon_url: text.check(z.describe('URL of a picture for the button.')),
  iframe_url_override: text.check(z.describe('Another URL for the chat’s frame.')),
  base_url: text.check(z.describe('The server that the widget calls; null means this one.')),
})
export type WidgetSettingsRow = z.output<typeof WidgetSettingsRow>

const optionalText = (limit: number) => maybe(Text(limit))
const yes = ifAny(BooleanInput)

/** All settings of a chat window that admins choose, without the ids that identify it. */
export const WidgetSettingsChanges = z.object({
  color: optionalText(40).check(z.describe('A CSS colour, such as `#1677ff`.')),
  name: optionalText(255).check(z.describe('Name of the company or inbox in the chat.')),
  logo: optionalText(2000).check(z.describe('URL of a picture.')),
  title: optionalText(255).check(z.describe('At the top of the chat.')),
  subtitle: optionalText(1000).check(z.describe('Below the title.')),
  greeting: optionalText(5000).check(z.describe('First message of a new chat; not stored.')),
  away_message: optionalText(5000).check(z.describe('Shown instead of the greeting outside working hours.')),
  new_message_placeholder: optionalText(255).check(z.describe('In the empty text field.')),
  email_input_placeholder: optionalText(255).check(z.describe('In the empty field for the address.')),
  new_messages_notification_text: optionalText(255).check(z.describe('On the notice beside the closed chat.')),
  quick_reply_options: optionalText(2000).check(z.describe('Comma-separated.')),
  language: optionalText(20).check(z.describe('A language tag; null means the browser’s language.')),
  show_agent_availability: yes.check(z.describe('Whether the chat says if somebody is there.')),
  agent_available_text: optionalText(255).check(z.describe('Said while somebody is there.')),
  agent_unavailable_text: optionalText(255).check(z.describe('Said while nobody is there.')),
  is_hide_voice: yes.check(z.describe('Hides the microphone.')),
  is_hide_attachments: yes.check(z.describe('Hides the button for files.')),
  require_email_upfront: yes.check(z.describe('Asks for the address before the first message.')),
  require_name_upfront: yes.check(z.describe('Asks for the name before the first message.')),
  require_phone_upfront: yes.check(z.describe('Asks for the phone number before the first message.')),
  use_company_profile_only: yes.check(z.describe('Shows the company instead of people.')),
  is_open_by_default: yes.check(z.describe('Opens the chat when the page loads.')),
  is_branding_hidden: yes.check(z.describe('Hides “Powered by”.')),
  offers_articles: yes.check(z.describe('Shows articles of the help center before the first message.')),
  icon_variant: ifAny(z.enum(['outlined', 'filled'])).check(z.describe('Look of the button.')),
  custom_icon_url: optionalText(2000).check(z.describe('URL of a picture for the button.')),
  iframe_url_override: optionalText(2000).check(z.describe('Another URL for the chat’s frame.')),
  base_url: optionalText(2000).check(z.describe('The server that the widget calls; null means this one.')),
})
export type WidgetSettingsChanges = z.output<typeof WidgetSettingsChanges>

/** Where the widget of an inbox was last opened; all null if it never was. */
export const Installation = z.object({
  inbox_id: z.string(),
  host: text.check(z.describe('Host name of the page.')),
  pathname: text.check(z.describe('Path of the page.')),
  last_seen_at: z.nullable(Timestamp).check(z.describe('When the widget was last opened there.')),
})
export type Installation = z.output<typeof Installation>

/** The settings of a widget were changed. */
export const widgetSettingsUpdated = defineEvent('widget_settings:updated', {
  receivers: 'team',
  payload: { widget_settings: WidgetSettingsRow },
})
