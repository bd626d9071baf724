import * as z from 'zod/mini'
import { PublicAccount } from '../accounts/accounts.ts'
import { data, endpoint } from '../endpoint.ts'
import { AccountId, Id, maybe, Text, TimeInput } from '../wire.ts'
import { WidgetSettingsChanges, WidgetSettingsRow } from './widget-settings.ts'

/** The settings of an inbox that anybody can read. */
export const PublicWidgetSettings = z.pick(WidgetSettingsRow, {
  id: true,
  object: true,
  account_id: true,
  inbox_id: true,
  created_at: true,
  updated_at: true,
  color: true,
  name: true,
  logo: true,
  title: true,
  subtitle: true,
  greeting: true,
  away_message: true,
  new_message_placeholder: true,
  email_input_placeholder: true,
  new_messages_notification_text: true,
  quick_reply_options: true,
  language: true,
  show_agent_availability: true,
  agent_available_text: true,
  agent_unavailable_text: true,
  is_hide_voice: true,
  is_hide_attachments: true,
  require_email_upfront: true,
  require_name_upfront: true,
  require_phone_upfront: true,
  use_company_profile_only: true,
  is_open_by_default: true,
  is_branding_hidden: true,
  offers_articles: true,
  icon_variant: true,
  custom_icon_url: true,
  iframe_url_override: true,
  base_url: true,
})
export type PublicWidgetSettings = z.output<typeof PublicWidgetSettings>

/** The settings a widget gets when it starts. */
export const WidgetSettings = z.extend(PublicWidgetSettings, {
  account: PublicAccount,
  has_articles: z
    .boolean()
    .check(
      z.describe('Whether the chat shows articles: it offers them, and readers can find some in the help center.'),
    ),
})
export type WidgetSettings = z.output<typeof WidgetSettings>

/** Who replies in an inbox, for visitors. */
export const WidgetTeam = z.object({
  people: z
    .array(z.object({ name: z.string(), photo: z.nullable(z.string()).check(z.describe('URL of a picture.')) }))
    .check(z.describe('A few team members; empty where the inbox shows the company instead of people.')),
  seconds_to_reply: z
    .nullable(z.int32())
    .check(z.describe('How long a first reply usually takes, or null if there is too little data.')),
})
export type WidgetTeam = z.output<typeof WidgetTeam>

/**
 * The settings in the script of a website that names its account: those of the inbox, and the account fields that the
 * chat uses.
 */
export type EmbeddedSettings = Partial<Omit<WidgetSettings, 'account'>> & { account: Partial<PublicAccount> }

/** Old clients spell a missing inbox in several ways; anything but an id means the primary inbox. */
export const InboxChoice = z.optional(z.catch(z.nullable(Id), null))

/** Calls of widgets before the visitor is known. */
export const widgets = {
  settings: endpoint('anyone', 'GET', '/api/widget_settings', {
    summary:
      'Returns the settings of the chat window. Requires account_id unless a user is signed in; by default of the primary inbox.',
    query: z.object({ account_id: z.optional(AccountId), inbox_id: InboxChoice }),
    answer: data(WidgetSettings),
  }),
  team: endpoint('anyone', 'GET', '/api/widget_team', {
    summary: 'Returns the agents of an inbox and their usual response time; by default of the primary inbox.',
    query: z.object({ account_id: AccountId, inbox_id: InboxChoice }),
    answer: data(WidgetTeam),
  }),
  update: endpoint('admin', 'PUT', '/api/widget_settings', {
    summary: 'Updates the chat window settings of an inbox, by default the primary one.',
    body: z.object({ widget_settings: z.extend(WidgetSettingsChanges, { inbox_id: maybe(Id) }) }),
    answer: data(WidgetSettings),
  }),
  seen: endpoint('anyone', 'PUT', '/api/widget_settings/metadata', {
    summary: 'Records the page on which the widget was last shown. Requires account_id and metadata.',
    body: z.object({
      account_id: z.optional(AccountId),
      inbox_id: InboxChoice,
      metadata: z
        .optional(
          z.object({
            host: maybe(Text(2000)).check(z.describe('Host name of the page.')),
            pathname: maybe(Text(4000)).check(z.describe('Path of the page.')),
            last_seen_at: maybe(TimeInput).check(z.describe('When the widget was opened there.')),
          }),
        )
        .check(z.describe('Any data of yours, as JSON. Parley only stores it.')),
    }),
    answer: data(PublicWidgetSettings),
  }),
}
