import { sql } from 'kysely'
import type { ConnectedAuthorization } from '../../../integration.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { announceState } from './health.ts'

/**
 * Records a sentence about something that a person should look at although the connection works, or that it is solved
 * (null). Changes nothing if the same is already recorded.
 */
export async function recordNotice(
  tx: Change,
  { account_id, id }: Pick<ConnectedAuthorization, 'account_id' | 'id'>,
  notice: string | null,
): Promise<void> {
  const { numUpdatedRows } = await ofAccount(tx.db, account_id)
    .updateTable('authorizations')
    .set({ notice: notice?.slice(0, 500) ?? null, notice_at: notice === null ? null : sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .where(sql<boolean>`notice is distinct from ${notice?.slice(0, 500) ?? null}`)
    .executeTakeFirst()
  if (numUpdatedRows) await announceState(tx, { account_id, id })
}
