import type { Conversation, ConversationRow, UnreadCounts } from '#contract/conversations/conversations.ts'
import type { Message } from '#contract/conversations/messages.ts'
import type { ClientEvent } from '#contract/events.ts'
import { withTag } from '../../customers/tags/apply-events.ts'
import { isCoveredBy, withAuthor, withChanged, without as withoutMessage } from '../messages/apply-events.ts'
import { belongs, type ConversationList, orderOf, type View } from './views.ts'

/** The user who views the lists, and the open conversation, which stays in its list until they leave it. */
export interface Viewer {
  user_id: number
  viewed_id?: string | undefined
}

/** Applies an event to a conversation. Returns the same object when the event is not newer. */
export function applyToConversation(conversation: Conversation, event: ClientEvent): Conversation {
  switch (event.event) {
    case 'shout':
      return event.payload.conversation_id === conversation.id ? withMessage(conversation, event.payload) : conversation
    case 'message:updated':
      return event.payload.conversation_id === conversation.id
        ? { ...conversation, messages: withChanged(conversation.messages, event.payload) }
        : conversation
    case 'message:deleted':
      return event.payload.conversation_id === conversation.id ? withDeleted(conversation, event.payload) : conversation
    case 'messages:seen':
    case 'messages:read':
      return event.payload.conversation_id === conversation.id ? withSeen(conversation, event) : conversation
    case 'conversation:updated':
      return withRow(conversation, event.payload.updates)
    case 'conversation:created':
      return event.payload.conversation ? withRow(conversation, event.payload.conversation) : conversation
    case 'conversation:tagged':
      return event.payload.id === conversation.id ? { ...conversation, tags: event.payload.tags } : conversation
    case 'customer:updated':
      return event.payload.id === conversation.customer_id ? { ...conversation, customer: event.payload } : conversation
    case 'conversations:moved': {
      const { customer, conversation_ids } = event.payload
      if (!conversation_ids.includes(conversation.id)) return conversation
      const messages = withAuthor(conversation.messages, event.payload)
      return { ...conversation, customer, customer_id: customer.id, messages }
    }
    case 'tag:updated':
    case 'tag:deleted':
      return withTag(conversation, event)
    default:
      return conversation
  }
}

/** Applies a row if it is newer; otherwise returns the conversation unchanged. */
export function withRow(conversation: Conversation, row: ConversationRow): Conversation {
  if (row.id !== conversation.id || row.version <= conversation.version) return conversation
  const { customer, messages, tags, mentions } = conversation
  const last_activity_at = later(conversation.last_activity_at, row.last_activity_at)
  return { ...conversation, ...row, last_activity_at, customer, messages, tags, mentions }
}

/** Lists hold the newest message of each conversation, as a preview. */
function withMessage(conversation: Conversation, message: Message): Conversation {
  const newest = conversation.messages.at(-1)
  if (newest && newest.number >= message.number) return conversation
  return {
    ...conversation,
    messages: [message],
    last_number: Math.max(conversation.last_number, message.number),
    last_activity_at: later(conversation.last_activity_at, message.created_at),
  }
}

/** Mentions in the message are removed as well. Only the server knows the message before it. */
function withDeleted(conversation: Conversation, deleted: { id: string }): Conversation {
  return {
    ...conversation,
    messages: withoutMessage(conversation.messages, deleted),
    mentions: conversation.mentions.filter(({ message_id }) => message_id !== deleted.id),
  }
}

function withSeen(conversation: Conversation, receipt: Parameters<typeof isCoveredBy>[1]): Conversation {
  const newest = conversation.messages.at(-1)
  if (!newest || !isCoveredBy(newest, receipt)) return conversation
  return { ...conversation, messages: [{ ...newest, seen_at: receipt.payload.seen_at }] }
}

/**
 * Inserts, moves or removes a conversation, depending on whether it belongs in the list. One that sorts below the last
 * loaded page is left out; it comes with its page.
 */
export function placeInList(
  list: ConversationList,
  view: View,
  conversation: Conversation,
  viewer: Viewer,
): ConversationList {
  const at = list.conversations.findIndex((other) => other.id === conversation.id)
  const existing = list.conversations[at]
  if (existing === conversation) return list
  const isListed = at !== -1
  const stays = isListed && conversation.id === viewer.viewed_id && !conversation.archived_at
  if (!stays && !belongs(view, conversation, viewer.user_id, isListed))
    return isListed ? without(list, conversation.id) : list
  const others = list.conversations.filter((other) => other !== existing)
  const index =
    isListed && !hasMoved(existing, conversation)
      ? at
      : others.findIndex((other) => orderOf(view)(conversation, other) < 0)
  if (index === -1 && list.next && !isListed) return list
  others.splice(index === -1 ? others.length : index, 0, conversation)
  return { ...list, conversations: others }
}

/** Removes conversations that no longer belong in the view and were only kept while open. */
export function pruneList(list: ConversationList, view: View, viewer: Viewer): ConversationList {
  const remaining = list.conversations.filter(
    (conversation) => conversation.id === viewer.viewed_id || belongs(view, conversation, viewer.user_id),
  )
  return remaining.length === list.conversations.length ? list : { ...list, conversations: remaining }
}

/** Appends an older page. Conversations that have moved up meanwhile keep their place. */
export function appendPage(list: ConversationList, page: ConversationList): ConversationList {
  const knownIds = new Set(list.conversations.map((conversation) => conversation.id))
  const fresh = page.conversations.filter((conversation) => !knownIds.has(conversation.id))
  return { conversations: [...list.conversations, ...fresh], next: page.next }
}

/** The counters after a conversation has changed. `before` is undefined for a new conversation. */
export function applyToCounts(
  counts: UnreadCounts,
  before: ConversationRow | undefined,
  after: ConversationRow,
  user_id: number,
): UnreadCounts {
  const [was, is] = [countersOf(before, user_id), countersOf(after, user_id)]
  const [stood, stands] = [totalsOf(before, user_id), totalsOf(after, user_id)]
  if (was.join() === is.join() && stood.join() === stands.join()) return counts
  return { ...withSteps(counts, was, is), totals: withSteps(counts.totals, stood, stands) }
}

/** Decrements the counters that a conversation has left and increments those that it has entered. */
function withSteps<Counts extends Pick<UnreadCounts, 'inboxes'> & { conversations: Record<string, number> }>(
  counts: Counts,
  exited: string[],
  entered: string[],
): Counts {
  const next = { ...counts, conversations: { ...counts.conversations }, inboxes: { ...counts.inboxes } }
  for (const [names, step] of [[exited, -1] as const, [entered, 1] as const]) {
    for (const name of names) {
      const counted: Record<string, number> = Object.hasOwn(next.conversations, name)
        ? next.conversations
        : next.inboxes
      counted[name] = Math.max(0, (counted[name] ?? 0) + step)
      if (counted === next.inboxes && counted[name] === 0) delete counted[name]
    }
  }
  return next
}

/** The unread counters that include a conversation: names of buckets, or the id of its inbox. */
function countersOf(row: ConversationRow | undefined, user_id: number): string[] {
  if (!row || row.archived_at || row.snoozed_at) return []
  const unread = row.read ? [] : totalsOf(row, user_id)
  if (row.status === 'closed') return unread
  const mentioned = row.unseen_mention_user_ids.includes(user_id) ? ['mentioned'] : []
  return row.read ? mentioned : [...mentioned, 'unread', ...unread]
}

/** The totals that include a conversation, read or not. */
function totalsOf(row: ConversationRow | undefined, user_id: number): string[] {
  if (!row || row.archived_at) return []
  if (row.snoozed_at) return ['snoozed']
  if (row.status === 'closed') return ['closed']
  const totals = ['open', row.inbox_id]
  if (row.assignee_id === null) totals.push('unassigned')
  if (row.assignee_id === user_id) totals.push('assigned')
  if (row.priority === 'priority') totals.push('priority')
  return totals
}

function without(list: ConversationList, id: string): ConversationList {
  return { ...list, conversations: list.conversations.filter((conversation) => conversation.id !== id) }
}

function hasMoved(before: Conversation | undefined, after: Conversation): boolean {
  return before?.last_activity_at !== after.last_activity_at || before.due_at !== after.due_at
}

function later(a: string, b: string): string {
  return Date.parse(b) > Date.parse(a) ? b : a
}
