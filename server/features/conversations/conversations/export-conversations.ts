import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { expandMessages, selectMessages } from '../messages/messages.ts'
import { listAllTranslations } from '../messages/translations.ts'
import { selectConversations } from './conversations.ts'

/** All conversations of a customer with all messages, including notes and those that are not sent yet, oldest first. */
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
    const scheduled = await ofAccount(db, account_id)
      .selectFrom('scheduled_messages')
      .select(['id', 'body', 'original_body', 'mail', 'send_at', 'held_reason', 'created_at'])
      .where('conversation_id', '=', row.id)
      .orderBy('send_at')
      .execute()
    const expanded = await expandMessages(db, account_id, messages)
    const translations = await listAllTranslations(db, account_id, row.id)
    conversations.push({ ...row, messages: expanded, translations, scheduled_messages: scheduled })
  }
  return conversations
}
