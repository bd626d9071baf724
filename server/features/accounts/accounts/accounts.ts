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
import { type ClosedDay, isWithinWorkingHours, type WorkingHours } from '#contract/widget/working-hours.ts'
import { isId } from '#contract/wire.ts'
import type { Config } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { Forbidden, NotFound } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { type Change, type Db, type FieldChanges, fieldChanges, hasChanges } from '../../../platform/db/change.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'
import { createInbox } from '../../widget/inboxes/inboxes.ts'
import { listWidgetSettings } from '../../widget/inboxes/widget-settings.ts'
import { readLocalTime } from '../../widget/working-hours/local-time.ts'
import { listUsers } from '../users/users.ts'

/** The database of an account, and whether plans apply there. */
type Installation = Pick<Context, 'db' | 'config'>

const columns = ['id', 'company_name', 'company_logo_url', 'time_zone', 'subscription_plan', 'working_hours'] as const

/**
 * The public fields of an account, including whether it is closed at the given time; undefined if there is no such
 * account.
 * Without a valid time zone an account is never closed.
 * @param own_hours the working hours of an inbox, if it has its own
 */
export async function findPublicAccount(
  { db, config }: Installation,
  account_id: string,
  now: Date,
  own_hours?: WorkingHours[] | null,
): Promise<PublicAccount | undefined> {
  const account = await db
    .selectFrom('accounts')
    .select([...columns, 'closed_days'])
    .where('id', '=', account_id)
    .executeTakeFirst()
  if (!account) return undefined
  const { closed_days, ...row } = account
  const working_hours = own_hours ?? (row.working_hours as unknown as WorkingHours[])
  const calendar = { working_hours, closed_days: closed_days as unknown as ClosedDay[] }
  const local = readLocalTime(row.time_zone, now)
  return {
    ...row,
    object: 'account',
    subscription_plan: planInUse(config, row.subscription_plan),
    working_hours,
    is_outside_working_hours: local ? !isWithinWorkingHours(calendar, local.day, local.minute) : false,
    current_minutes_since_midnight: local?.minute ?? null,
  }
}

/** Locks an account until the transaction ends, so that changes of a list of it with an order or a limit are made in turn. */
export async function lockAccount({ db }: Pick<Change, 'db'>, account_id: string): Promise<void> {
  await db.selectFrom('accounts').select('id').where('id', '=', account_id).forNoKeyUpdate().execute()
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
  const [account, { settings, closed_days }, users, widget_settings] = await Promise.all([
    findPublicAccount(installation, account_id, now),
    db
      .selectFrom('accounts')
      .select(['settings', 'closed_days'])
      .where('id', '=', account_id)
      .executeTakeFirstOrThrow(),
    listUsers(db, account_id),
    listWidgetSettings(db, account_id),
  ])
  if (!account) throw new Error(`The account ${account_id} of a signed-in user does not exist.`)
  return {
    ...account,
    settings: settings as Account['settings'],
    closed_days: closed_days as unknown as ClosedDay[],
    users,
    widget_settings,
  }
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
  const select = [...columns, 'settings', 'closed_days'] as const
  const own = () => change.db.selectFrom('accounts').select(select).where('id', '=', account_id)
  const before = await own().forUpdate().executeTakeFirstOrThrow()
  const { settings, ...others } = wanted
  const changes = { ...fieldChanges(before, others), ...(settings && settingsChanges(before.settings, settings)) }
  if (!hasChanges(changes)) return changes
  const { working_hours, closed_days, ...plain } = others
  const lists = {
    ...(closed_days && { closed_days: toJson(closed_days) }),
    ...(working_hours && { working_hours: toJson(working_hours) }),
    ...(settings && { settings: toJson(settings) }),
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
    .select([...columns, 'settings', 'closed_days'])
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
