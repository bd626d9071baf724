import { sql } from 'kysely'
import { accountUpdated } from '#contract/accounts/accounts.ts'
import { accessChanged } from '#contract/customers/customers.ts'
import type { Context } from '../../../context.ts'
import { Refusal } from '../../../errors.ts'
import type { LoggedEvent } from '../../../feature.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { recordAudit } from '../audit/audit.ts'
import { presentAccount } from './accounts.ts'

const SUSPENDED = 'Your company was suspended by the operator of this server. Please contact them.'

/**
 * A condition on a row: its account is not suspended. `column` is that of the account's id, such as
 * `deliveries.account_id`. In the queries by which callers and due work are found, so that no entry point can miss it.
 */
export function isServed(column: string) {
  return sql<boolean>`not exists (
    select from accounts suspended where suspended.id = ${sql.ref(column)} and suspended.suspended_at is not null)`
}

/** @throws Refusal with the reason `suspended` */
export function assertServed({ suspended_at }: { suspended_at: string | null }): void {
  if (suspended_at) throw suspended()
}

function suspended(): Refusal {
  return new Refusal(401, SUSPENDED, 'suspended')
}

/** Whether the operator has suspended an account. */
export async function isSuspended(db: Db, account_id: string): Promise<boolean> {
  const row = await db.selectFrom('accounts').select('suspended_at').where('id', '=', account_id).executeTakeFirst()
  return !!row?.suspended_at
}

/** @throws Refusal with the reason `suspended` */
export async function assertNotSuspended(db: Db, account_id: string): Promise<void> {
  if (await isSuspended(db, account_id)) throw suspended()
}

/**
 * Suspends an account, or resumes it. While it is suspended nobody signs in, its sockets end, its widgets are not shown,
 * and nothing is sent or read for it; what others send to it is kept. Running servers learn of it from the events.
 * @returns false if it was so already
 */
export async function setSuspended(
  { config }: Pick<Context, 'config'>,
  change: Change,
  account_id: string,
  wanted: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await change.db
    .updateTable('accounts')
    .set({ suspended_at: wanted ? new Date().toISOString() : null })
    .where('id', '=', account_id)
    .where('suspended_at', wanted ? 'is' : 'is not', null)
    .executeTakeFirst()
  if (!numUpdatedRows) return false
  const operator = { account_id, user_id: null, address: '' }
  await recordAudit(change, operator, { action: wanted ? 'account.suspended' : 'account.resumed' })
  change.announce(account_id, accessChanged, { customer_id: null })
  change.announce(account_id, accountUpdated, { account: await presentAccount(change.db, config, account_id) })
  return true
}

/** Ends the sockets of accounts that were suspended. */
export function disconnectSuspended({ db, realtime, log }: Context, events: LoggedEvent[]): void {
  const ids = new Set(events.flatMap(({ account_id, event }) => (event.type === 'account:updated' ? [account_id] : [])))
  for (const account_id of ids) {
    isSuspended(db, account_id)
      .then((suspended) => (suspended ? realtime.disconnect({ account_id }, 'suspended') : undefined))
      .catch((error) => log.warn({ err: error, account_id }, 'Sockets of a suspended company could not be ended'))
  }
}
