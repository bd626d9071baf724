import * as z from 'zod/mini'
import { data, endpoint } from './endpoint.ts'
import { User } from './users.ts'
import { WidgetSettingsRow } from './widget-settings.ts'
import { WorkingHours } from './working-hours.ts'

export const SubscriptionPlan = z.enum(['starter', 'lite', 'team'])

/** What strangers may know of an account: the widget reads these. */
export const PublicAccount = z.object({
  id: z.string(),
  object: z.literal('account'),
  company_name: z.string(),
  company_logo_url: z.nullable(z.string()),
  time_zone: z.nullable(z.string()),
  subscription_plan: SubscriptionPlan,
  working_hours: z.array(WorkingHours),
  is_outside_working_hours: z.boolean(),
  current_minutes_since_midnight: z.nullable(z.number()),
})
export type PublicAccount = z.output<typeof PublicAccount>

export const AccountSettings = z.object({
  disable_automated_reply_emails: z.optional(z.nullable(z.boolean())),
  conversation_reminders_enabled: z.optional(z.nullable(z.boolean())),
  conversation_reminder_hours_interval: z.optional(z.nullable(z.int())),
  max_num_conversation_reminders: z.optional(z.nullable(z.int())),
})

export const Account = z.extend(PublicAccount, {
  settings: AccountSettings,
  /** Everyone who was not archived, disabled people included. */
  users: z.array(User),
  widget_settings: z.array(WidgetSettingsRow),
})
export type Account = z.output<typeof Account>

export const accounts = {
  mine: endpoint('user', 'GET', '/api/accounts/me', { says: 'The account of who asks.', answer: data(Account) }),
}
