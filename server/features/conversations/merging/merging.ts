import type { ConversationRow } from '#contract/conversations/conversations.ts'
import { messagesMoved } from '#contract/conversations/merging.ts'
import { NotFound, Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change } from '../../../platform/db/change.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { moveMirrors } from '../../connections/external-links/external-links.ts'
import { lockCustomer } from '../../customers/customers/changing.ts'
import {
  type ConversationDbRow,
  getConversationRow,
  NOT_CLOSED,
  saveConversation,
  type Values,
} from '../conversations/conversations.ts'
import { withMentions } from '../conversations/mentions.ts'
import { readPositions, sortIn } from '../conversations/moving-messages.ts'
import { repoint } from '../conversations/pointers.ts'
import { AWAKE } from '../conversations/snoozing.ts'
import { announceTags, copyTags } from '../conversations/tagging.ts'
import { moveScheduled } from '../scheduled-messages/rows.ts'
import { lockBoth, recordMove, stateOf } from './moves.ts'
import { placeMessages } from './placing-messages.ts'

/**
 * Merges a conversation into another one of the same customer. All messages are in the other one from then on, sorted
 * by their time. The merged one stays without messages and points to it, so that whoever has its id is led there.
 * @throws NotFound; Unacceptable for conversations of different customers, deleted ones, and one with itself
 */
export async function mergeConversations(
  tx: Change,
  caller: User,
  id: string,
  into_id: string,
): Promise<ConversationRow> {
  const { account_id, user_id } = caller
  const { from, into } = await lockPair(tx, account_id, id, into_id)
  const [moved, existing] = await Promise.all([
    readPositions(tx.db, account_id, from.id),
    readPositions(tx.db, account_id, into.id),
  ])
  const after = combine(from, into)
  const before = {
    from: stateOf(from),
    to: stateOf(into),
    after,
    to_last_number: into.last_number,
    tag_ids: await copyTags(tx, account_id, from.id, into.id),
    thread_ids: await moveMirrors(tx, account_id, from.id, into.id),
    merged_ids: await repoint(tx, account_id, from.id, into.id),
  }
  await recordMove(tx, { account_id, user_id, kind: 'merge', from_id: from.id, to_id: into.id, before }, [
    ...moved,
    ...existing,
  ])
  const sorted = sortIn(existing, moved)
  const positions = sorted.map((message, index) => ({ id: message.id, conversation_id: into.id, number: index + 1 }))
  await placeMessages(tx, account_id, positions)
  await moveScheduled(tx, account_id, from.id, into.id)
  // A number is never used twice, also where messages were deleted.
  const last_number = Math.max(positions.length, into.last_number)
  const unproven = combineUnproven(from, into, positions, [moved, existing])
  const row = await saveConversation(tx, into, { ...after, last_number, ...unproven })
  const pointer = await saveConversation(tx, from, {
    ...AWAKE,
    merged_into: into.id,
    archived_at: new Date().toISOString(),
    last_number: 0,
    unseen_mention_user_ids: [],
  })
  if (before.tag_ids.length > 0) await announceTags(tx, account_id, into.id)
  tx.announce(account_id, messagesMoved, { from: pointer, to: row, customer_id: row.customer_id })
  const details = { conversation_id: into.id, messages: moved.length }
  await recordAudit(tx, caller, { action: 'conversation.merged', subject_id: from.id, details })
  return getConversationRow(tx.db, account_id, into.id)
}

/**
 * Locks their customer, then both conversations, in this order everywhere: merges of the same customer wait for each
 * other, and posting into a merged conversation locks it before the one that it points to.
 */
async function lockPair(tx: Change, account_id: string, id: string, into_id: string) {
  const { customer_id } = await getConversationRow(tx.db, account_id, id)
  await lockCustomer(tx.db, account_id, customer_id)
  const [from, into] = await lockBoth(tx, account_id, id, into_id)
  if (!from || !into) throw new NotFound()
  if (from.id === into.id) throw new Unacceptable('A conversation cannot be merged with itself.')
  if (from.customer_id !== into.customer_id) {
    throw new Unacceptable('These conversations are with different customers. Merge the customers first.')
  }
  if (from.merged_into || into.merged_into) {
    throw new Unacceptable('One of these conversations is part of another one already.')
  }
  if (from.archived_at || into.archived_at) {
    throw new Unacceptable('A deleted conversation cannot be merged. Restore it first.')
  }
  return { from, into }
}

/** What becomes of the receiving conversation, besides what its messages say. */
function combine(from: ConversationDbRow, into: ConversationDbRow): Values {
  const isOpen = from.status === 'open' || into.status === 'open'
  // It stays snoozed only if whichever of them is open is snoozed as well.
  const isSnoozed = [from, into].every(({ status, snoozed_at }) => status === 'closed' || snoozed_at !== null)
  const isUrgent = from.priority === 'priority' || into.priority === 'priority'
  return {
    status: isOpen ? 'open' : 'closed',
    ...(isOpen && NOT_CLOSED),
    ...(!isSnoozed && AWAKE),
    priority: isUrgent ? 'priority' : 'not_priority',
    assignee_id: into.assignee_id ?? from.assignee_id,
    read: from.read && into.read,
    last_activity_at: from.last_activity_at > into.last_activity_at ? from.last_activity_at : into.last_activity_at,
    ...(from.source === into.source && {
      reply_until: later(from.reply_until, into.reply_until),
      possible_opt_out_at: later(from.possible_opt_out_at, into.possible_opt_out_at),
    }),
    first_replied_at: earlier(from.first_replied_at, into.first_replied_at),
    ...withMentions(into, from.unseen_mention_user_ids),
  }
}

function earlier(a: string | null, b: string | null): string | null {
  return a && b ? (a < b ? a : b) : (a ?? b)
}

function later(a: string | null, b: string | null): string | null {
  return a && b ? (a > b ? a : b) : (a ?? b)
}

interface Numbered {
  id: string
  number: number
}

/** Nothing that was written without proof may count as proven afterwards; so some of the proven counts as unproven. */
function combineUnproven(
  from: ConversationDbRow,
  into: ConversationDbRow,
  positions: Numbered[],
  [moved, existing]: [Numbered[], Numbered[]],
): Values {
  const [ofFrom, ofInto] = [from, into].map(({ unproven }) => unproven as { up_to_number: number } | null)
  if (!ofFrom && !ofInto) return {}
  const ids = new Set([...idsUpTo(moved, ofFrom?.up_to_number ?? 0), ...idsUpTo(existing, ofInto?.up_to_number ?? 0)])
  const up_to_number = Math.max(0, ...positions.filter(({ id }) => ids.has(id)).map(({ number }) => number))
  return { unproven: toJson({ ...ofFrom, ...ofInto, up_to_number }) }
}

function idsUpTo(messages: Numbered[], number: number): string[] {
  return messages.filter((message) => message.number <= number).map(({ id }) => id)
}
