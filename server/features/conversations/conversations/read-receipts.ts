import { messagesRead, messagesSeen } from '#contract/conversations/messages.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

interface Seen {
  account_id: string
  id: string
  customer_id: string
}

/**
 * The customer has read the team's messages: every public one without `seen_at` gets it, up to a number if the channel
 * names the message that was read. Announced once to both sides with the last number, if there were any.
 */
export function seeMessages(change: Change, conversation: Seen, up_to_number?: number): Promise<void> {
  return stamp(change, conversation, messagesSeen, up_to_number)
}

/** The team has read the customer's messages; announced in the same way. */
export function readMessages(change: Change, conversation: Seen): Promise<void> {
  return stamp(change, conversation, messagesRead)
}

async function stamp(
  change: Change,
  { account_id, id, customer_id }: Seen,
  event: typeof messagesSeen | typeof messagesRead,
  limit?: number,
): Promise<void> {
  const seen_at = new Date().toISOString()
  const stamped = await ofAccount(change.db, account_id)
    .updateTable('messages')
    .set({ seen_at })
    .where('conversation_id', '=', id)
    .where(event === messagesSeen ? 'user_id' : 'customer_id', 'is not', null)
    .where('private', '=', false)
    .where('seen_at', 'is', null)
    .$if(limit !== undefined, (query) => query.where('number', '<=', limit!))
    .returning('number')
    .execute()
  if (stamped.length === 0) return
  const up_to_number = Math.max(...stamped.map(({ number }) => number))
  change.announce(account_id, event, { conversation_id: id, customer_id, seen_at, up_to_number })
}
