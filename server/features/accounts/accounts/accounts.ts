import {
  type Account,
  type AccountChanged,
  type AccountChanges,
  accountUpdated,
  mayManageCustomers,
  type PublicAccount,
} from '#contract/accounts/accounts.ts'
import type { SubscriptionPlan } from '#contract/accounts/plans.ts'
import { accessChanged } from '#contract/customers/customers.ts'
import { clockAt } from '#contract/days.ts'
import { isOutsideWorkingHours, type WorkingHours } from '#contract/widget/working-hours.ts'
import { isId } from '#contract/wire.ts'
import type { Config } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { Forbidden, NotFound } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { type Change, type Db, type FieldChanges, fieldChanges, hasChanges } from '../../../platform/db/change.ts'
import { newId } from '../../../platform/secrets.ts'
import { createInbox } from '../../widget/inboxes/inboxes.ts'
import { listWidgetSettings } from '../../widget/inboxes/widget-settings.ts'
import { listUsers } from '../users/users.ts'

/** The database of an account, and whether plans apply there. */
type Installation = Pick<Context, 'db' | 'config'>

const columns = ['id', 'company_name', 'company_logo_url', 'time_zone', 'subscription_plan', 'working_hours'] as const

/**
 * The public fields of an account, including whether it is closed at the given time; undefined if there is no such
 * account.
 * Without a valid time zone an account is never closed.
 */
export async function findPublicAccount(
  { db, config }: Installation,
  account_id: string,
  now: Date,
): Promise<PublicAccount | undefined> {
  const row = await db.selectFrom('accounts').select(columns).where('id', '=', account_id).executeTakeFirst()
  if (!row) return undefined
  const working_hours = row.working_hours as unknown as WorkingHours[]
  const local = localTime(row.time_zone, now)
  return {
    ...row,
    object: 'account',
    subscription_plan: planInUse(config, row.subscription_plan),
    working_hours,
    is_outside_working_hours: local ? isOutsideWorkingHours(working_hours, local.weekday, local.minute) : false,
    current_minutes_since_midnight: local?.minute ?? null,
  }
}

/** The plan whose limits apply. Without billing there are none, whatever plan is stored from another time or server. */
export function planInUse({ billing }: Pick<Config, 'billing'>, stored: string): SubscriptionPlan {
  return billing ? (stored as SubscriptionPlan) : 'team'
}

/** The error for a client whose account is not here: it may be meant for another installation. */
export function unknownAccount(account_id: string, { baseUrl }: Pick<Config, 'baseUrl'>): NotFound {
  const { host } = new URL(baseUrl)
  return new NotFound(`No account found with ID: ${account_id}. Are you pointing at the correct host?`, { host })
}

/** Whether a text from outside is the id of an account that is not suspended. */
export async function isAccount(db: Db, id: string): Promise<boolean> {
  if (!isId(id)) return false
  return !!(await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .where('suspended_at', 'is', null)
    .executeTakeFirst())
}

/** Whether any company has registered here. */
export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** The whole account, for its own team. */
export async function getAccount(installation: Installation, account_id: string, now: Date): Promise<Account> {
  const { db } = installation
  const [account, { settings }, users, widget_settings] = await Promise.all([
    findPublicAccount(installation, account_id, now),
    db.selectFrom('accounts').select('settings').where('id', '=', account_id).executeTakeFirstOrThrow(),
    listUsers(db, account_id),
    listWidgetSettings(db, account_id),
  ])
  if (!account) throw new Error(`The account ${account_id} of a signed-in user does not exist.`)
  return { ...account, settings: settings as Account['settings'], users, widget_settings }
}

/** Creates an account with its primary inbox. Where plans are sold, it starts with the smallest. */
export async function createAccount(
  change: Change,
  company_name: string,
  { billing }: Pick<Config, 'billing'>,
): Promise<string> {
  const id = newId()
  const subscription_plan = billing ? 'starter' : 'team'
  await change.db.insertInto('accounts').values({ id, company_name, subscription_plan }).execute()
  await createInbox(change, id, {
    name: 'Primary Inbox',
    description: `This is the primary inbox of ${company_name}. All conversations arrive here by default.`,
    is_primary: true,
  })
  return id
}

/**
 * Changes an account and announces it.
 * @returns the changed fields
 */
export async function updateAccount(
  { config }: Pick<Context, 'config'>,
  change: Change,
  account_id: string,
  wanted: AccountChanges & { subscription_plan?: SubscriptionPlan },
): Promise<FieldChanges> {
  const select = [...columns, 'settings'] as const
  const own = () => change.db.selectFrom('accounts').select(select).where('id', '=', account_id)
  const before = await own().forUpdate().executeTakeFirstOrThrow()
  const { settings, ...others } = wanted
  const changes = { ...fieldChanges(before, others), ...(settings && settingsChanges(before.settings, settings)) }
  if (!hasChanges(changes)) return changes
  const { working_hours, ...plain } = others
  const lists = {
    ...(working_hours && { working_hours: JSON.stringify(working_hours) }),
    ...(settings && { settings: JSON.stringify(settings) }),
  }
  await change.db
    .updateTable('accounts')
    .set({ ...plain, ...lists, updated_at: new Date().toISOString() })
    .where('id', '=', account_id)
    .execute()
  // Rechecks sockets admitted by unsigned ids, or of members who watch.
  if (changes.trust_unsigned_ids?.from === true || changes.members_watch_sessions?.from === true)
    change.announce(account_id, accessChanged, { customer_id: null })
  change.announce(account_id, accountUpdated, { account: await presentAccount(change.db, config, account_id) })
  return changes
}

/** An account as in the event about its changes. */
export async function presentAccount(
  db: Db,
  config: Pick<Config, 'billing'>,
  account_id: string,
): Promise<AccountChanged> {
  const row = await db
    .selectFrom('accounts')
    .select([...columns, 'settings'])
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  const subscription_plan = planInUse(config, row.subscription_plan)
  return { ...row, object: 'account', subscription_plan } as AccountChanged
}

/**
 * Allows exporting the list of customers and deleting customers only to those whom the account permits it.
 * @throws Forbidden
 */
export async function assertManager(db: Db, { account_id, role }: User): Promise<void> {
  const { settings } = await db
    .selectFrom('accounts')
    .select('settings')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  if (mayManageCustomers(role, settings as Account['settings'])) return
  throw new Forbidden(
    'Only admins may export and delete customers. An admin can allow it for members on the account page.',
  )
}

/** Settings are replaced as a whole, so those left out are unset. */
function settingsChanges(before: unknown, next: NonNullable<AccountChanges['settings']>): FieldChanges {
  const own = before as Record<string, unknown>
  const unset = Object.fromEntries(Object.keys(own).map((name) => [name, null]))
  return fieldChanges(own, { ...unset, ...next })
}

/** Weekday (Monday is 0) and minute of the day in the company's time zone. */
function localTime(time_zone: string | null, now: Date): { weekday: number; minute: number } | undefined {
  if (!time_zone) return undefined
  try {
    const { year, month, day, hour, minute } = clockAt(now, time_zone)
    const sundayFirst = new Date(Date.UTC(year, month - 1, day)).getUTCDay()
    return { weekday: (sundayFirst + 6) % 7, minute: hour * 60 + minute }
  } catch {
    return undefined
  }
}
