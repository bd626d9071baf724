import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/** What was merged into one conversation points to another one from now on. Returns the ids. */
export async function repoint({ db }: Change, account_id: string, from_id: string, to_id: string): Promise<string[]> {
  const rows = await ofAccount(db, account_id)
    .updateTable('conversations')
    .set({ merged_into: to_id })
    .where('merged_into', '=', from_id)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The same for some of them, to undo it. */
export async function repointBack(
  { db }: Change,
  account_id: string,
  ids: string[],
  from_id: string,
  to_id: string,
): Promise<void> {
  if (ids.length === 0) return
  await ofAccount(db, account_id)
    .updateTable('conversations')
    .set({ merged_into: to_id })
    .where('merged_into', '=', from_id)
    .where('id', 'in', ids)
    .execute()
}
