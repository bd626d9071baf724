import type { ConversationRow } from '#contract/conversations/conversations.ts'
import { messagesMoved } from '#contract/conversations/merging.ts'
import { NotFound, Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change } from '../../../platform/db/change.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { lockCustomer } from '../../customers/customers/changing.ts'
import { getConversationRow, lockConversation, saveConversation } from '../conversations/conversations.ts'
import { readFirstReply, readPositions } from '../conversations/moving-messages.ts'
import { startConversation } from '../conversations/starting.ts'
import { selectMessages } from '../messages/messages.ts'
import { recordMove, stateOf } from './moves.ts'
import { placeMessages } from './placing-messages.ts'

/**
 * Moves a message, or all from it on, into a new conversation of the same customer and inbox. The others keep their
 * numbers.
 * @returns the new conversation
 * @throws NotFound; Unacceptable if nothing would be left
 */
export async function splitConversation(
  tx: Change,
  caller: User,
  message_id: string,
  range: 'one' | 'from_here',
): Promise<ConversationRow> {
  const { account_id, user_id } = caller
  const { db } = tx
  const from = await lockConversationOf(tx, account_id, message_id)
  const messages = await readPositions(db, account_id, from.id)
  const chosen = messages.find(({ id }) => id === message_id)
  if (!chosen) throw new NotFound()
  const moved = range === 'one' ? [chosen] : messages.filter(({ number }) => number >= chosen.number)
  if (moved.length === messages.length) {
    throw new Unacceptable('These are all messages of this conversation, so nothing would be left here.')
  }
  const { id: to_id } = await startConversation(tx, account_id, {
    customer_id: from.customer_id,
    inbox_id: from.inbox_id,
    source: from.source,
    subject: from.subject,
  })
  const to = await lockConversation(db, account_id, to_id)
  if (!to) throw new NotFound()
  const before = {
    from: stateOf(from),
    to: stateOf(to),
    after: {},
    to_last_number: 0,
    tag_ids: [],
    thread_ids: [],
    merged_ids: [],
  }
  await recordMove(tx, { account_id, user_id, kind: 'split', from_id: from.id, to_id, before }, moved)
  const positions = moved.map(({ id }, index) => ({ id, conversation_id: to_id, number: index + 1 }))
  await placeMessages(tx, account_id, positions)
  const readReply = (id: string) => readFirstReply(db, account_id, id, from.first_replied_at)
  const row = await saveConversation(tx, to, {
    assignee_id: from.assignee_id,
    priority: from.priority,
    read: from.read,
    last_number: moved.length,
    first_replied_at: await readReply(to_id),
  })
  const remaining = await saveConversation(tx, from, { first_replied_at: await readReply(from.id) })
  tx.announce(account_id, messagesMoved, { from: remaining, to: row, customer_id: row.customer_id })
  const details = { conversation_id: to_id, messages: moved.length }
  await recordAudit(tx, caller, { action: 'conversation.split', subject_id: from.id, details })
  return row
}

/** Locks the customer first, as merging does. */
async function lockConversationOf(tx: Change, account_id: string, message_id: string) {
  const find = () => selectMessages(tx.db, account_id).where('id', '=', message_id).executeTakeFirst()
  const message = await find()
  if (!message) throw new NotFound()
  const { customer_id } = await getConversationRow(tx.db, account_id, message.conversation_id)
  await lockCustomer(tx.db, account_id, customer_id)
  const conversation = await lockConversation(tx.db, account_id, (await find())?.conversation_id ?? '')
  if (!conversation) throw new NotFound()
  return conversation
}
