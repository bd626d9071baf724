import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/** What was merged into one conversation, or of it only these, points to another one from now on. Returns the ids. */
export async function repoint(
  { db }: Change,
  account_id: string,
  from_id: string,
  to_id: string,
  only?: string[],
): Promise<string[]> {
  const rows = await ofAccount(db, account_id)
    .updateTable('conversations')
    .set({ merged_into: to_id })
    .where('merged_into', '=', from_id)
    .$if(only !== undefined, (query) => query.where('id', 'in', only!))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
