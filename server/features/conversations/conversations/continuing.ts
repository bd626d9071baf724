import type { Conversation } from '#contract/conversations/conversations.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { startConversation } from './starting.ts'

/** A conversation closed for longer is not reopened: a new one begins and refers to it. */
const REOPENED_DAYS = 30

interface Continued {
  /** The id of the conversation, if one is started. */
  id: string
  customer_id: string
  inbox_id: string | null
  source: Conversation['source']
  /** The conversation of another channel that the customer continues. */
  previous_id?: string | undefined
}

/**
 * Where a message belongs that came over a channel without subjects: the customer's latest conversation over it in the
 * inbox, unless that was closed too long ago; else a new one. Returns its id.
 */
export async function continueConversation(
  tx: Change,
  account_id: string,
  { id, customer_id, inbox_id, source, previous_id }: Continued,
): Promise<string> {
  const newest = await ofAccount(tx.db, account_id)
    .selectFrom('conversations')
    .select(['id', 'closed_at'])
    .where('customer_id', '=', customer_id)
    .where('inbox_id', '=', inbox_id)
    .where('source', '=', source)
    .where('archived_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const isOld = newest?.closed_at && Date.parse(newest.closed_at) < Date.now() - REOPENED_DAYS * 86_400_000
  if (newest && !isOld) return newest.id
  const previous_conversation_id = previous_id ?? newest?.id
  const started = await startConversation(tx, account_id, {
    id,
    customer_id,
    inbox_id,
    source,
    ...(previous_conversation_id && { metadata: { previous_conversation_id } }),
  })
  return started.id
}
