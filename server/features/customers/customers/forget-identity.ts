import { sql } from 'kysely'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { ERASED } from './columns.ts'

/**
 * Removes all identifying data of customers for good. Their rows stay, because archived conversations refer to them.
 */
export async function eraseIdentity(change: Change, account_id: string, ids: string[]): Promise<void> {
  await ofAccount(change.db, account_id)
    .updateTable('customers')
    .set({ ...ERASED, deleted_at: sql<string>`clock_timestamp()` })
    .where('id', 'in', ids)
    .execute()
  // Other customers' claims to be them must not lead to an anonymous row.
  await ofAccount(change.db, account_id)
    .updateTable('customers')
    .set({ claimed_customer_id: null })
    .where('claimed_customer_id', 'in', ids)
    .execute()
}

/** The ids of all customers merged into one. */
export async function listMerged({ db }: Change, account_id: string, id: string): Promise<string[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('customers')
    .select('id')
    .where('merged_into', '=', id)
    .execute()
  return rows.map((row) => row.id)
}

/** Sets the survivor of merged customers, or null once they are separate again. */
export async function setSurvivor({ db }: Change, account_id: string, ids: string[], merged_into: string | null) {
  if (ids.length === 0) return
  await ofAccount(db, account_id).updateTable('customers').set({ merged_into }).where('id', 'in', ids).execute()
}
