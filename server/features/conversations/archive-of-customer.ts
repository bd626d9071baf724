import type { Change } from '../../platform/db/change.ts'
import { archiveConversation } from './updating.ts'

/** Archives all conversations of a customer. */
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
