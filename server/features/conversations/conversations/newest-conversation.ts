import type { ConversationRow } from '#contract/conversations/conversations.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/** The customer's conversation with the latest activity, without archived ones. */
export function findNewestConversation(
  db: Db,
  account_id: string,
  customer_id: string,
): Promise<Pick<ConversationRow, 'id' | 'status'> | undefined> {
  return ofAccount(db, account_id)
    .selectFrom('conversations')
    .select(['id', 'status'])
    .where('customer_id', '=', customer_id)
    .where('archived_at', 'is', null)
    .orderBy('last_activity_at', 'desc')
    .orderBy('id', 'desc')
    .$castTo<Pick<ConversationRow, 'id' | 'status'>>()
    .executeTakeFirst()
}
