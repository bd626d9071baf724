import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { lockConversation, saveConversation } from './conversations.ts'

/**
 * Marks all messages so far of a customer as written by a browser without proof, with the identity it claimed. They
 * stay in their conversations.
 */
export async function markUnproven(
  change: Change,
  account_id: string,
  customer_id: string,
  claims: Record<string, unknown>,
): Promise<void> {
  const rows = await ofAccount(change.db, account_id)
    .selectFrom('conversations')
    .select('id')
    .where('customer_id', '=', customer_id)
    .where('last_number', '>', 0)
    .orderBy('id')
    .execute()
  for (const { id } of rows) {
    const conversation = await lockConversation(change.db, account_id, id)
    if (!conversation) continue
    const unproven = toJson({ up_to_number: conversation.last_number, claims })
    await saveConversation(change, conversation, { unproven })
  }
}

/** Deletes the identities claimed for these customers, and their addresses. */
export async function deleteUnprovenTextOf({ db }: Change, account_id: string, customer_ids: string[]): Promise<void> {
  await ofAccount(db, account_id)
    .updateTable('conversations')
    .set({ unproven: null, reply_email: null })
    .where('customer_id', 'in', customer_ids)
    .execute()
}
