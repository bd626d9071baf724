import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { BooleanInput, IntegerBetween, ifAny, maybe, Text } from '../wire.ts'

/** What a user is notified about on screen. `all` includes the others; an empty list means nothing. */
export const NotifyAbout = z.enum(['all', 'mine', 'unassigned', 'mentions'])
export type NotifyAbout = z.output<typeof NotifyAbout>

/** A language tag such as `pt-BR`. The server refuses those that it has no texts in. */
const Language = z.string().check(z.regex(/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i, 'is invalid'), z.maxLength(35))

/** What a user chose for themselves. */
export const UserSettings = z.object({
  id: z.string(),
  object: z.literal('user_settings'),
  user_id: z.int32(),
  email_alert_on_new_message: z.boolean().check(z.describe('Sends a mail about each new message of a customer.')),
  email_alert_on_new_conversation: z.boolean().check(z.describe('Sends a mail about new conversations.')),
  expo_push_token: z.nullable(z.string()).check(z.describe('Stored for Papercups’ mobile app.')),
  notify_about: z.array(NotifyAbout).check(z.describe('What the dashboard notifies about; empty for nothing.')),
  notification_sound: z.boolean().check(z.describe('Whether the dashboard plays a sound.')),
  email_alert_on_mention: z.boolean().check(z.describe('Sends a mail when a note mentions the user.')),
  email_alert_on_deadline: z
    .boolean()
    .check(z.describe('Sends a mail before a deadline of a conversation of the user, or of nobody.')),
  language: z
    .nullable(z.string())
    .check(z.describe("Of mails and of the dashboard; null means the browser's language.")),
  label_language: z
    .nullable(z.string())
    .check(z.describe('Of the labels on messages; null means the default of the installation.')),
  read_languages: z
    .array(z.string())
    .check(z.describe('Further languages that the user reads, so that messages in them need no translation.')),
  mail_signature: z.nullable(z.string()).check(z.describe('Shown below replies sent by mail.')),
  undo_seconds: z
    .nullable(z.int32())
    .check(z.describe('Seconds in which the dashboard lets a sent reply be taken back; null is 5 for mails, else 0.')),
})
export type UserSettings = z.output<typeof UserSettings>

/** The settings that can be changed; those left out stay. */
export const UserSettingsChanges = z.object({
  email_alert_on_new_message: ifAny(BooleanInput).check(
    z.describe('Sends a mail about each new message of a customer.'),
  ),
  email_alert_on_new_conversation: ifAny(BooleanInput).check(z.describe('Sends a mail about new conversations.')),
  expo_push_token: maybe(Text(200)).check(z.describe('Stored for Papercups’ mobile app.')),
  notify_about: z
    .optional(z.array(NotifyAbout).check(z.maxLength(NotifyAbout.options.length)))
    .check(z.describe('What the dashboard notifies about; empty for nothing.')),
  notification_sound: ifAny(BooleanInput).check(z.describe('Whether the dashboard plays a sound.')),
  email_alert_on_mention: ifAny(BooleanInput).check(z.describe('Sends a mail when a note mentions the user.')),
  email_alert_on_deadline: ifAny(BooleanInput).check(
    z.describe('Sends a mail before a deadline of a conversation of the user, or of nobody.'),
  ),
  language: maybe(Language).check(z.describe('Of mails and of the dashboard; null means the browser’s language.')),
  label_language: maybe(Language).check(
    z.describe('Of the labels on messages; null means the default of the installation.'),
  ),
  read_languages: ifAny(z.array(Language).check(z.maxLength(30))).check(
    z.describe('Further languages that the user reads, so that messages in them need no translation.'),
  ),
  mail_signature: maybe(Text(2000)).check(z.describe('Shown below replies sent by mail.')),
  undo_seconds: maybe(IntegerBetween(0, 30)).check(
    z.describe('Seconds in which the dashboard lets a sent reply be taken back; null is 5 for mails, else 0.'),
  ),
})
export type UserSettingsChanges = z.output<typeof UserSettingsChanges>

/** Calls about a user's own settings. */
export const userSettings = {
  get: endpoint('user', 'GET', '/api/user_settings', {
    summary: 'Returns the notification settings of the caller.',
    answer: data(UserSettings),
  }),
  update: endpoint('user', 'PUT', '/api/user_settings', {
    summary: 'Updates the notification settings of the caller.',
    body: z.object({ user_settings: UserSettingsChanges }),
    answer: data(UserSettings),
  }),
}
