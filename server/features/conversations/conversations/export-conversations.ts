import type { Db } from '../../../platform/db/change.ts'
import { expandMessages, selectMessages } from '../messages/messages.ts'
import { selectConversations } from './conversations.ts'

/** All conversations of a customer with all messages, including notes, oldest first. */
export async function exportConversations(db: Db, account_id: string, customer_id: string): Promise<object[]> {
  const rows = await selectConversations(db, account_id)
    .where('customer_id', '=', customer_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const conversations = []
  for (const row of rows) {
    const messages = await selectMessages(db, account_id)
      .where('conversation_id', '=', row.id)
      .orderBy('number')
      .execute()
    conversations.push({ ...row, messages: await expandMessages(db, account_id, messages) })
  }
  return conversations
}
