import * as z from 'zod/mini'
import { NotifyAbout } from '../accounts/user-settings.ts'
import { data, endpoint } from '../endpoint.ts'
import { isTimeZone } from '../time-zones.ts'
import { BooleanInput, FilledText, Id, IntegerBetween, IntegerInput, ifAny, maybe, Text, Timestamp } from '../wire.ts'

/** Inboxes of an account that a user may mute at most. */
const MAX_MUTED = 1_000

/** A browser on which a user is notified. */
export const PushDevice = z.object({
  id: z.string(),
  object: z.literal('push_device'),
  user_agent: z.nullable(z.string()).check(z.describe('As its browser named itself.')),
  push_service: z.string().check(z.describe('The host that notifications go through, such as `fcm.googleapis.com`.')),
  is_current: z.boolean().check(z.describe('Whether it belongs to the session of the caller.')),
  created_at: Timestamp,
  last_success_at: z.nullable(Timestamp).check(z.describe('When its push service last accepted a notification.')),
  problem: z.nullable(z.string()).check(z.describe('Why the last notification failed, as a sentence.')),
  problem_at: z.nullable(Timestamp).check(z.describe('When the problem last occurred.')),
})
export type PushDevice = z.output<typeof PushDevice>

/** What a browser says about its subscription at its push service. */
export const PushSubscription = z.object({
  endpoint: z
    .url({ protocol: /^https$/ })
    .check(
      z.maxLength(1_000),
      z.describe('The address that the push service gave the browser.'),
      z.meta({ examples: ['https://push.example.com/send/1f3a'] }),
    ),
  keys: z
    .object({
      p256dh: z
        .string()
        .check(
          z.regex(/^B[\w-]{86}=?$/, 'is invalid'),
          z.describe('The public key of the browser, in base64url.'),
          z.meta({ examples: [`B${'A'.repeat(86)}`] }),
        ),
      auth: z
        .string()
        .check(
          z.regex(/^[\w-]{22}(==)?$/, 'is invalid'),
          z.describe('Its secret, in base64url.'),
          z.meta({ examples: ['A'.repeat(22)] }),
        ),
    })
    .check(z.describe('Notifications are encrypted with these.')),
})
export type PushSubscription = z.output<typeof PushSubscription>

/** The number by which browsers recognize a message that they can show without a service worker (declarative web push). */
export const DECLARATIVE_PUSH = 8030

/**
 * What a device receives, encrypted. Browsers without declarative web push pass it to the service worker, which shows
 * the same.
 */
export interface PushPayload {
  web_push: typeof DECLARATIVE_PUSH
  notification: {
    title: string
    body: string
    /** What a click opens. */
    navigate: string
    lang: string
    dir: 'ltr' | 'rtl'
    /** A later notification with the same tag replaces this one. */
    tag: string
    data: {
      /** The same in each repetition of this notification, by the server or by the push service. */
      id: string
      /** Null if it is about several, or about none. */
      conversation_id: string | null
      /** The tags of all conversations that still wait; those of others can be closed. Null if that is unknown. */
      waiting: string[] | null
    }
  }
  /** The number on the app's icon: unread conversations of the user and of nobody. */
  app_badge: number
}

/** What a user chose for notifications on their devices. */
export const PushSettings = z.object({
  object: z.literal('push_settings'),
  about: z.array(NotifyAbout).check(z.describe('What they are notified about; empty for nothing.')),
  muted_inbox_ids: z.array(z.string()).check(z.describe('Inboxes about which they are not notified.')),
  quiet_from: z
    .nullable(z.string())
    .check(
      z.describe('When the quiet hours begin, such as `22:00`; null for none. What waits then comes at their end.'),
    ),
  quiet_until: z.nullable(z.string()).check(z.describe('When the quiet hours end, such as `07:00`.')),
  time_zone: z.string().check(z.describe('The time zone of the quiet hours, such as `Europe/Berlin`.')),
  shows_text: z
    .boolean()
    .check(z.describe('Whether names and texts are shown; otherwise only that there is a message.')),
  mail_after_minutes: z
    .nullable(z.int32())
    .check(
      z.describe(
        'Minutes after which a mail follows a message that nobody has read. It replaces the mails at once. Null for none.',
      ),
    ),
})
export type PushSettings = z.output<typeof PushSettings>

const TimeOfDay = (example: string) =>
  z
    .string()
    .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'should be a time such as 22:00'), z.meta({ examples: [example] }))

/** The settings that can be changed; those left out stay. */
export const PushSettingsChanges = z.object({
  about: z
    .optional(z.array(NotifyAbout).check(z.maxLength(NotifyAbout.options.length)))
    .check(z.describe('What the caller is notified about; empty for nothing.')),
  muted_inbox_ids: z
    .optional(z.array(Id).check(z.maxLength(MAX_MUTED)))
    .check(z.describe('Inboxes about which they are not notified.')),
  quiet_from: maybe(TimeOfDay('22:00')).check(
    z.describe('When the quiet hours begin, such as `22:00`; null for none.'),
  ),
  quiet_until: maybe(TimeOfDay('07:00')).check(z.describe('When the quiet hours end, such as `07:00`.')),
  time_zone: z
    .optional(Text(100).check(z.refine(isTimeZone, 'is invalid'), z.meta({ examples: ['Europe/Berlin'] })))
    .check(z.describe('The time zone of the quiet hours, such as `Europe/Berlin`.')),
  shows_text: ifAny(BooleanInput).check(
    z.describe('Whether names and texts are shown; otherwise only that there is a message.'),
  ),
  mail_after_minutes: maybe(IntegerBetween(1, 1440)).check(
    z.describe('Minutes after which a mail follows a message that nobody has read; null for none.'),
  ),
})
export type PushSettingsChanges = z.output<typeof PushSettingsChanges>

/** Calls about notifications on the caller’s devices. */
export const push = {
  status: endpoint('user', 'GET', '/api/push', {
    summary: 'Returns the key with which browsers subscribe to notifications, or why this installation sends none.',
    answer: data(
      z.object({
        public_key: z.string().check(z.describe('The `applicationServerKey` of subscriptions, in base64url.')),
        problem: z.nullable(z.string()).check(z.describe('Why no notifications are sent, as a sentence.')),
      }),
    ),
  }),
  listDevices: endpoint('user', 'GET', '/api/push_devices', {
    session_only: true,
    summary: 'Lists the devices on which the caller is notified, newest first.',
    answer: data(z.array(PushDevice)),
  }),
  registerDevice: endpoint('user', 'POST', '/api/push_devices', {
    session_only: true,
    summary:
      'Registers the browser of the caller for notifications. Repeating it changes nothing; a browser that somebody else registered becomes the caller’s.',
    body: z.object({
      device: z.object({
        subscription: PushSubscription.check(z.describe('What the browser got from its push service.')),
        language: maybe(Text(35)).check(z.describe('The language of the browser, for callers who chose none.')),
      }),
    }),
    answer: data(PushDevice),
    status: 201,
  }),
  renewDevice: endpoint('anyone', 'PUT', '/api/push_devices/renewed', {
    session_only: true,
    summary:
      'Replaces the subscription of a browser whose push service gave it another one. Who knows the old address needs no session.',
    body: z.object({
      old_endpoint: FilledText(1_000).check(z.describe('The address until now.')),
      subscription: PushSubscription.check(z.describe('The subscription from now on.')),
    }),
    answer: data(z.object({ ok: z.boolean() })),
    limit: 'sign-in',
  }),
  removeDevice: endpoint('user', 'DELETE', '/api/push_devices/:id', {
    session_only: true,
    summary: 'Ends notifications on a device of the caller.',
    answer: z.null(),
    status: 204,
  }),
  testDevice: endpoint('user', 'POST', '/api/push_devices/:id/test', {
    session_only: true,
    summary: 'Sends a notification to a device of the caller at once, and returns what its push service answered.',
    answer: data(
      z.object({
        problem: z.nullable(z.string()).check(z.describe('Why it failed, as a sentence; null if it was sent.')),
      }),
    ),
    limit: 'message',
  }),
  removeDevicesOfUser: endpoint('admin', 'DELETE', '/api/users/:id/push_devices', {
    session_only: true,
    summary: 'Ends notifications on all devices of a user, for example after a phone was lost.',
    params: z.object({ id: IntegerInput }),
    answer: z.null(),
    status: 204,
  }),
  getSettings: endpoint('user', 'GET', '/api/push_settings', {
    summary: 'Returns what the caller is notified about on their devices.',
    answer: data(PushSettings),
  }),
  updateSettings: endpoint('user', 'PUT', '/api/push_settings', {
    summary: 'Updates what the caller is notified about on their devices.',
    body: z.object({ push_settings: PushSettingsChanges }),
    answer: data(PushSettings),
  }),
}
