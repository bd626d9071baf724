import type { Change } from '../../platform/db/change.ts'
import { lockConversation, saveConversation } from './conversations.ts'

/**
 * Marks what was said so far in every conversation of a customer as the words of a browser that had not proven whose it
 * is, with who it said to be. They stay where they were said.
 */
export async function markUnproven(
  change: Change,
  account_id: string,
  customer_id: string,
  claims: Record<string, unknown>,
): Promise<void> {
  const rows = await change.db
    .selectFrom('conversations')
    .select('id')
    .where('account_id', '=', account_id)
    .where('customer_id', '=', customer_id)
    .where('last_number', '>', 0)
    .orderBy('id')
    .execute()
  for (const { id } of rows) {
    const conversation = await lockConversation(change.db, account_id, id)
    if (!conversation) continue
    const unproven = JSON.stringify({ up_to_number: conversation.last_number, claims })
    await saveConversation(change, conversation, { unproven })
  }
}

/** Forgets who these customers said to be, and the addresses they gave. */
export async function forgetWordsOf({ db }: Change, account_id: string, customer_ids: string[]): Promise<void> {
  await db
    .updateTable('conversations')
    .set({ unproven: null, reply_email: null })
    .where('account_id', '=', account_id)
    .where('customer_id', 'in', customer_ids)
    .execute()
}
