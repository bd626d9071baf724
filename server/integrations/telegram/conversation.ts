import { startConversation } from '../../features/conversations/conversations/starting.ts'
import type { Change } from '../../platform/db/change.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { deriveId } from '../../platform/secrets.ts'
import type { Telegram } from './connection.ts'
import type { TelegramMessage } from './updates.ts'

/** A conversation closed for longer is not reopened: a new one begins and refers to it. */
const REOPENED_DAYS = 30

/**
 * The customer's latest Telegram conversation in the inbox, unless it was closed too long ago; else a new one.
 * @param previous_id the conversation of another channel that the customer continues
 */
export async function chooseConversation(
  tx: Change,
  { account_id, id, inbox_id }: Telegram,
  customer_id: string,
  { chat, message_id }: TelegramMessage,
  previous_id?: string,
): Promise<string> {
  const newest = await ofAccount(tx.db, account_id)
    .selectFrom('conversations')
    .select(['id', 'closed_at'])
    .where('customer_id', '=', customer_id)
    .where('inbox_id', '=', inbox_id)
    .where('source', '=', 'telegram')
    .where('archived_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const isOld = newest?.closed_at && Date.parse(newest.closed_at) < Date.now() - REOPENED_DAYS * 86_400_000
  if (newest && !isOld) return newest.id
  const previous_conversation_id = previous_id ?? newest?.id
  const started = await startConversation(tx, account_id, {
    id: deriveId(`telegram conversation ${id} ${chat.id} ${message_id}`),
    customer_id,
    inbox_id,
    source: 'telegram',
    ...(previous_conversation_id && { metadata: { previous_conversation_id } }),
  })
  return started.id
}
