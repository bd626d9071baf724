import type { Change } from '../../platform/db/change.ts'
import { archiveConversation } from './updating.ts'

/**
 * Gives conversations of one customer to another, archived ones too; what the customer wrote in them goes along. Silent:
 * who moves a customer tells of it. Answers with their ids.
 */
export async function moveConversations(
  { db }: Change,
  account_id: string,
  from: string,
  to: string,
  ids?: string[],
): Promise<string[]> {
  if (ids?.length === 0) return []
  const moved = await db
    .updateTable('conversations')
    .set({ customer_id: to })
    .where('account_id', '=', account_id)
    .where('customer_id', '=', from)
    .$if(!!ids, (query) => query.where('id', 'in', ids!))
    .returning('id')
    .execute()
  return moved.map(({ id }) => id)
}

/** Takes everything that a customer was part of out of the lists. */
export async function archiveConversationsOf(change: Change, account_id: string, customer_id: string): Promise<void> {
  const rows = await change.db
    .selectFrom('conversations')
    .select('id')
    .where('account_id', '=', account_id)
    .where('customer_id', '=', customer_id)
    .where('archived_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const { id } of rows) await archiveConversation(change, account_id, id)
}
