import type { InstallationAddress } from '#contract/operations/operations.ts'
import type { Config } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { Forbidden, Refusal } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Db } from '../../../platform/db/change.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'

const FIXED = 'The address is set by BASE_URL where Parley is started. Change it there.'
const NOT_YOURS = 'Only admins of the account that set up this installation can change its address.'

/** How long other servers of the installation may take to use a changed address. */
const REFRESH_MS = 5_000

/** Applies the address chosen in the dashboard, unless BASE_URL is set. */
export async function applySavedAddress(db: Db, config: Config): Promise<void> {
  if (config.isBaseUrlGiven) {
    await db.updateTable('installation').set({ base_url: null }).where('base_url', 'is not', null).execute()
    return
  }
  const { base_url } = await db.selectFrom('installation').select('base_url').executeTakeFirstOrThrow()
  config.baseUrl = base_url ?? config.baseUrl
}

const timers = new WeakMap<Context, NodeJS.Timeout>()

/** Keeps this server's address in step with changes made on others. */
export function watchAddress(context: Context): void {
  const { db, config, log } = context
  if (config.isBaseUrlGiven) return
  const refresh = () =>
    applySavedAddress(db, config).catch((error) => log.debug({ err: error }, 'The saved address could not be read'))
  timers.set(context, setInterval(refresh, REFRESH_MS).unref())
}

export function stopFollowingAddress(context: Context): void {
  clearInterval(timers.get(context))
}

/** The installation's address, and whether this admin may change it. */
export async function readAddress({ db, config }: Context, { account_id }: User): Promise<InstallationAddress> {
  const may_change = !config.isBaseUrlGiven && (await isFirstAccount(db, account_id))
  return { base_url: config.baseUrl, may_change }
}

/** Changes the installation's address. Other servers use it within seconds. */
export async function changeAddress({ change, config }: Context, caller: User, base_url: string): Promise<void> {
  if (config.isBaseUrlGiven) throw new Refusal(409, FIXED, 'address_fixed')
  await change(async (tx) => {
    if (!(await isFirstAccount(tx.db, caller.account_id))) throw new Forbidden(NOT_YOURS)
    await tx.db.updateTable('installation').set({ base_url }).execute()
    const changes = { base_url: { from: config.baseUrl, to: base_url } }
    await recordAudit(tx, caller, { action: 'account.address_changed', details: { fields: ['base_url'], changes } })
  })
  config.baseUrl = base_url
}

/**
 * Whether an account is the one whose company set up the installation and maintains it: the first one, unless older ones
 * were moved in from another product. Links in every company's mails use the address, for example, so not every company
 * may change it.
 */
export async function isFirstAccount(db: Db, account_id: string): Promise<boolean> {
  const first = await db
    .selectFrom('accounts')
    .select('id')
    .orderBy('is_operator', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return first?.id === account_id
}
