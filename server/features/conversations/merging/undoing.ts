import type { ConversationRow } from '#contract/conversations/conversations.ts'
import { messagesMoved } from '#contract/conversations/merging.ts'
import { NotFound } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { moveMirrorsBack } from '../../connections/external-links/external-links.ts'
import { lockCustomer } from '../../customers/customers/changing.ts'
import {
  type ConversationDbRow,
  getConversationRow,
  NOT_CLOSED,
  saveConversation,
  type Values,
} from '../conversations/conversations.ts'
import { withMentions } from '../conversations/mentions.ts'
import { type Position, readFirstReply, readNewest, readPositions } from '../conversations/moving-messages.ts'
import { repoint } from '../conversations/pointers.ts'
import { removeCopiedTags } from '../conversations/tagging.ts'
import { getUndoable, lockBoth, type Move } from './moves.ts'
import { placeMessages } from './placing-messages.ts'

/**
 * Undoes a merge or a split: each message is where it was before, with its number. What was written since stays in the
 * receiving conversation after a merge, and comes along after a split, whose new conversation ends.
 * @returns the conversation that has its messages back
 * @throws NotFound; Unacceptable if it is too old, or something later builds upon it
 */
export async function undoMove(tx: Change, caller: User, id: string): Promise<ConversationRow> {
  const { account_id } = caller
  const { customer_id } = await getConversationRow(
    tx.db,
    account_id,
    (await getUndoable(tx.db, account_id, id)).from_id,
  )
  await lockCustomer(tx.db, account_id, customer_id)
  // Read again, because somebody else may have undone it meanwhile.
  const move = await getUndoable(tx.db, account_id, id)
  const [pointer, target] = move.kind === 'merge' ? [move.from_id, move.to_id] : [move.to_id, move.from_id]
  const [first, second] = await lockBoth(tx, account_id, pointer, target)
  if (!first || !second) throw new NotFound()
  if (move.kind === 'merge') await undoMerge(tx, move, { from: first, to: second })
  else await undoSplit(tx, move, { from: second, to: first })
  await ofAccount(tx.db, account_id)
    .updateTable('conversation_moves')
    .set({ undone_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
  const from = await getConversationRow(tx.db, account_id, move.from_id)
  const to = await getConversationRow(tx.db, account_id, move.to_id)
  tx.announce(account_id, messagesMoved, { from: to, to: from, customer_id: from.customer_id })
  const action = move.kind === 'merge' ? 'conversation.merge_undone' : 'conversation.split_undone'
  await recordAudit(tx, caller, { action, subject_id: from.id, details: { conversation_id: to.id } })
  return from
}

interface Pair {
  from: ConversationDbRow
  to: ConversationDbRow
}

async function undoMerge(tx: Change, move: Move, { from, to }: Pair): Promise<void> {
  const { account_id, before } = move
  const recorded = await readRecorded(tx, move)
  const since = (await readPositions(tx.db, account_id, to.id)).filter(({ id }) => !recorded.has(id))
  const later = since.map(({ id }, index) => ({
    id,
    conversation_id: to.id,
    number: before.to_last_number + index + 1,
  }))
  await placeMessages(tx, account_id, [...recorded.values(), ...later])
  await moveBack(tx, move)
  await saveConversation(tx, from, {
    ...before.from,
    merged_into: null,
    archived_at: null,
    ...(await stateFromMessages(tx, from, before.from)),
  })
  // Whatever the team replied here since was its first reply, if there was none before.
  const replied_since = before.to.first_replied_at ?? move.created_at
  await saveConversation(tx, to, {
    ...withoutChanges(to, before.to, before.after),
    ...(await stateFromMessages(tx, to, { ...before.to, first_replied_at: replied_since })),
  })
}

async function undoSplit(tx: Change, move: Move, { from, to }: Pair): Promise<void> {
  const { account_id } = move
  const recorded = await readRecorded(tx, move)
  const since = (await readPositions(tx.db, account_id, to.id)).filter(({ id }) => !recorded.has(id))
  const next = from.last_number + 1
  const later = since.map(({ id }, index) => ({ id, conversation_id: from.id, number: next + index }))
  await placeMessages(tx, account_id, [...recorded.values(), ...later])
  const isOpen = from.status === 'open' || to.status === 'open'
  await saveConversation(tx, from, {
    ...(isOpen && { status: 'open', ...NOT_CLOSED }),
    read: from.read && to.read,
    ...withMentions(from, to.unseen_mention_user_ids),
    ...(await stateFromMessages(tx, from, {
      last_activity_at: from.last_activity_at,
      first_replied_at: move.before.from.first_replied_at ?? move.created_at,
    })),
  })
  await saveConversation(tx, to, { merged_into: from.id, archived_at: new Date().toISOString(), last_number: 0 })
}

/** Where the messages of a move were before; those deleted since are left out. */
async function readRecorded({ db }: Change, { account_id, id }: Move): Promise<Map<string, Position>> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('moved_messages')
    .select(['message_id as id', 'conversation_id', 'number'])
    .where('move_id', '=', id)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Tags, threads in other systems and earlier merged conversations go back. */
async function moveBack(tx: Change, { account_id, from_id, to_id, before }: Move): Promise<void> {
  await removeCopiedTags(tx, account_id, to_id, before.tag_ids)
  await moveMirrorsBack(tx, account_id, before.thread_ids, to_id, from_id)
  await repoint(tx, account_id, to_id, from_id, before.merged_ids)
}

/** The values from before, of what nobody has changed since. */
function withoutChanges(current: ConversationDbRow, before: Values, after: Values): Values {
  const untouched = Object.entries(after).filter(
    ([column, value]) => JSON.stringify(current[column as keyof ConversationDbRow]) === JSON.stringify(value),
  )
  return Object.fromEntries(untouched.map(([column]) => [column, before[column as keyof Values]]))
}

/** What the messages say about a conversation that was active and replied to at these times. */
async function stateFromMessages(
  { db }: Change,
  { account_id, id, last_number }: ConversationDbRow,
  recorded: Pick<ConversationDbRow, 'last_activity_at' | 'first_replied_at'>,
) {
  const newest = await readNewest(db, account_id, id)
  const isLater = newest.at !== null && newest.at > recorded.last_activity_at
  return {
    last_number: Math.max(newest.number, last_number),
    last_activity_at: isLater ? newest.at! : recorded.last_activity_at,
    first_replied_at: await readFirstReply(db, account_id, id, recorded.first_replied_at),
  }
}
