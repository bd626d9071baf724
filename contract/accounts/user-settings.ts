import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { GivenBoolean, ifAny, maybe, Text } from '../wire.ts'

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
  email_alert_on_new_message: z.boolean(),
  email_alert_on_new_conversation: z.boolean(),
  expo_push_token: z.nullable(z.string()),
  notify_about: z.array(NotifyAbout),
  notification_sound: z.boolean(),
  email_alert_on_mention: z.boolean(),
  /** Of mails and of the dashboard; null means the browser's language. */
  language: z.nullable(z.string()),
  /** Of the labels on messages; null means the default of the installation. */
  label_language: z.nullable(z.string()),
  /** Shown below replies sent by mail. */
  mail_signature: z.nullable(z.string()),
})
export type UserSettings = z.output<typeof UserSettings>

/** The settings that can be changed; those left out stay. */
export const UserSettingsChanges = z.object({
  email_alert_on_new_message: ifAny(GivenBoolean),
  email_alert_on_new_conversation: ifAny(GivenBoolean),
  expo_push_token: maybe(Text(200)),
  notify_about: z.optional(z.array(NotifyAbout).check(z.maxLength(NotifyAbout.options.length))),
  notification_sound: ifAny(GivenBoolean),
  email_alert_on_mention: ifAny(GivenBoolean),
  language: maybe(Language),
  label_language: maybe(Language),
  mail_signature: maybe(Text(2000)),
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
