import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { isTimeZone } from '../time-zones.ts'
import { WidgetSettingsRow } from '../widget/widget-settings.ts'
import { ClosedDay, MAX_CLOSED_DAYS, MAX_WORKING_HOURS, WorkingHours } from '../widget/working-hours.ts'
import { BooleanInput, Host, IntegerBetween, maybe, Name, Text } from '../wire.ts'
import { SubscriptionPlan } from './plans.ts'
import { User } from './users.ts'

/** Public fields of an account, read by the widget. */
export const PublicAccount = z.object({
  id: z.string(),
  object: z.literal('account'),
  company_name: z.string(),
  company_logo_url: z.nullable(z.string()).check(z.describe('URL of a picture.')),
  time_zone: z.nullable(z.string()).check(z.describe('An IANA name such as `Europe/Berlin`.')),
  subscription_plan: SubscriptionPlan.check(
    z.describe('Without billing this is the team plan, which includes everything.'),
  ),
  working_hours: z.array(WorkingHours).check(z.describe('When the team answers; empty if it always does.')),
  is_outside_working_hours: z.boolean().check(z.describe('Whether the team is closed at this moment.')),
  current_minutes_since_midnight: z
    .nullable(z.number())
    .check(z.describe('The time of day in the account’s time zone; null without a time zone.')),
})
export type PublicAccount = z.output<typeof PublicAccount>

/** Settings of an account, changed by admins. Fields left out of a change stay. */
export const AccountSettings = z.object({
  disable_automated_reply_emails: z
    .optional(z.nullable(z.boolean()))
    .check(z.describe('Stops the mails that tell customers about replies which they have not seen.')),
  conversation_reminders_enabled: z
    .optional(z.nullable(z.boolean()))
    .check(z.describe('Reminds the team by mail of conversations that wait for an answer.')),
  conversation_reminder_hours_interval: z
    .optional(z.nullable(z.int32()))
    .check(z.describe('Hours between two reminders.')),
  max_num_conversation_reminders: z
    .optional(z.nullable(z.int32()))
    .check(z.describe('Reminders for one conversation.')),
  retention_days: z
    .optional(z.nullable(z.int32()))
    .check(
      z.describe(
        'Closed and deleted conversations are destroyed after this many days without a message; null keeps them.',
      ),
    ),
  trust_unsigned_ids: z
    .optional(z.nullable(z.boolean()))
    .check(
      z.describe(
        "Lets unsigned external ids match customers added by the team or an import. Whoever guesses an id can then read that customer's messages.",
      ),
    ),
  members_manage_customers: z
    .optional(z.nullable(z.boolean()))
    .check(z.describe('Lets members, and not only admins, export the list of customers and delete customers.')),
  members_watch_sessions: z
    .optional(z.nullable(z.boolean()))
    .check(z.describe('Lets members, and not only admins, watch live sessions.')),
  hide_watched_sign: z
    .optional(z.nullable(z.boolean()))
    .check(z.describe('Hides from visitors that somebody is watching.')),
  instant_replay: z
    .optional(z.nullable(z.boolean()))
    .check(
      z.describe("Visitors' browsers keep the last minute in memory, so that somebody who starts watching sees it."),
    ),
  replay_hosts: z
    .optional(z.nullable(z.array(z.string())))
    .check(
      z.describe("Hosts of the account's website whose pictures, fonts and styles are loaded when a page is watched."),
    ),
})

/** An account as its own team sees it, with the users and the working hours. */
export const Account = z.extend(PublicAccount, {
  settings: AccountSettings,
  closed_days: z.array(ClosedDay).check(z.describe('Holidays, and other days with hours of their own.')),
  users: z.array(User).check(z.describe('Everyone who was not archived, including disabled users.')),
  widget_settings: z.array(WidgetSettingsRow).check(z.describe('One for each inbox.')),
})
export type Account = z.output<typeof Account>

/** The changed account as sent to every user, without whether it is closed now, which depends on the time. */
export const AccountChanged = z.extend(
  z.omit(PublicAccount, { is_outside_working_hours: true, current_minutes_since_midnight: true }),
  { settings: AccountSettings, closed_days: z.array(ClosedDay) },
)
export type AccountChanged = z.output<typeof AccountChanged>

/** Whether a user may export the list of customers and delete customers. */
export function mayManageCustomers(role: User['role'], settings: z.output<typeof AccountSettings>): boolean {
  return role === 'admin' || settings.members_manage_customers === true
}

const TimeZone = Text(100).check(z.refine(isTimeZone, 'is invalid'), z.meta({ examples: ['Europe/Berlin'] }))

const MOST = 100_000

/** What admins can change. Lists and groups are replaced as a whole. */
export const AccountChanges = z.object({
  company_name: z.optional(Name(255).check(z.trim(), z.minLength(1, "can't be blank"))),
  company_logo_url: maybe(Text(2000).check(z.regex(/^(https?:\/\/\S+)?$/, 'is invalid'))).check(
    z.describe('URL of a picture.'),
  ),
  time_zone: maybe(TimeZone).check(z.describe('An IANA name such as `Europe/Berlin`.')),
  working_hours: z
    .optional(z.array(WorkingHours).check(z.maxLength(MAX_WORKING_HOURS)))
    .check(z.describe('When the team answers; empty if it always does.')),
  closed_days: z
    .optional(z.array(ClosedDay).check(z.maxLength(MAX_CLOSED_DAYS)))
    .check(z.describe('Holidays, and other days with hours of their own.')),
  settings: z.optional(
    z.object({
      disable_automated_reply_emails: maybe(BooleanInput).check(
        z.describe('Stops the mails that tell customers about replies which they have not seen.'),
      ),
      conversation_reminders_enabled: maybe(BooleanInput).check(
        z.describe('Reminds the team by mail of conversations that wait for an answer.'),
      ),
      conversation_reminder_hours_interval: maybe(IntegerBetween(1, MOST)).check(
        z.describe('Hours between two reminders.'),
      ),
      max_num_conversation_reminders: maybe(IntegerBetween(0, MOST)).check(
        z.describe('Reminders for one conversation.'),
      ),
      retention_days: maybe(IntegerBetween(1, MOST)).check(
        z.describe(
          'Closed and deleted conversations are destroyed after this many days without a message; null keeps them.',
        ),
      ),
      trust_unsigned_ids: maybe(BooleanInput).check(
        z.describe('Lets unsigned external ids match customers added by the team or an import.'),
      ),
      members_manage_customers: maybe(BooleanInput).check(
        z.describe('Lets members, and not only admins, export the list of customers and delete customers.'),
      ),
      members_watch_sessions: maybe(BooleanInput).check(
        z.describe('Lets members, and not only admins, watch live sessions.'),
      ),
      hide_watched_sign: maybe(BooleanInput).check(z.describe('Hides from visitors that somebody is watching.')),
      instant_replay: maybe(BooleanInput).check(
        z.describe('Visitors’ browsers keep the last minute in memory, so that somebody who starts watching sees it.'),
      ),
      replay_hosts: maybe(z.array(Host).check(z.maxLength(20))).check(
        z.describe(
          'Hosts of the account’s website whose pictures, fonts and styles are loaded when a page is watched.',
        ),
      ),
    }),
  ),
})
export type AccountChanges = z.output<typeof AccountChanges>

const update = { body: z.object({ account: AccountChanges }), answer: data(Account) }

/** Name, logo, time zone, working hours or settings of the account changed. */
export const accountUpdated = defineEvent('account:updated', {
  receivers: 'team',
  payload: { account: AccountChanged },
})

/** Calls about the account itself: `contract/http.md` 3. */
export const accounts = {
  create: endpoint('anyone', 'POST', '/api/accounts', {
    session_only: true,
    summary: 'Always refused, with a sentence: an account begins with its first user, by `POST /api/registration`.',
    answer: data(PublicAccount),
    status: 201,
  }),
  mine: endpoint('user', 'GET', '/api/accounts/me', {
    summary: 'Returns the account of the caller.',
    answer: data(Account),
  }),
  update: endpoint('admin', 'PUT', '/api/accounts/me', {
    summary: 'Updates the account of the caller. Working hours, closed days and settings are replaced as a whole.',
    ...update,
  }),
  updateById: endpoint('admin', 'PUT', '/api/accounts/:id', {
    summary: 'Updates the account of the caller, whatever the id.',
    params: z.object({ id: Text(100) }),
    ...update,
  }),
}
