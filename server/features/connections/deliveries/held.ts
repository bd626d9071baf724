import type { Context } from '../../../context.ts'
import { NotFound } from '../../../errors.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { announceDeliveries } from './delivery-rows.ts'
import { isHeld } from './is-held.ts'
import { sendDeliveries } from './sender.ts'

/**
 * Sends the held deliveries of a connection in order, or drops them.
 * @throws NotFound unless the account has the connection
 */
export async function resolveHeld(
  { jobs }: Pick<Context, 'jobs'>,
  tx: Change,
  { account_id, authorization_id }: { account_id: string; authorization_id: string },
  what: 'send' | 'discard',
): Promise<number> {
  const { db } = tx
  const connection = await ofAccount(db, account_id)
    .selectFrom('authorizations')
    .select('id')
    .where('id', '=', authorization_id)
    .executeTakeFirst()
  if (!connection) throw new NotFound()
  const now = new Date().toISOString()
  const settled = await ofAccount(db, account_id)
    .updateTable('deliveries')
    .set({
      updated_at: now,
      ...(what === 'send' ? { begun_at: now, not_before: now, tries: 0, problem: null } : { state: 'dropped' }),
    })
    .where('authorization_id', '=', authorization_id)
    .where(isHeld('deliveries'))
    .returning('id')
    .execute()
  await announceDeliveries(tx, account_id, settled)
  if (settled.length > 0) await jobs.enqueue(db, sendDeliveries, { account_id })
  return settled.length
}
