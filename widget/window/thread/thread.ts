import type { VisitorMessage } from '#contract/conversations/messages.ts'
import type { VisitorEvent } from '#contract/visitor-events.ts'

/** A conversation as its customer sees it. Messages are in the order of their numbers, the oldest first. */
export interface Thread {
  conversation_id: string | null
  status: 'open' | 'closed'
  messages: VisitorMessage[]
  hasOlder: boolean
  /** Ids of deleted messages, so that a delayed response does not bring them back. */
  deletedIds: readonly string[]
}

export const EMPTY_THREAD: Thread = {
  conversation_id: null,
  status: 'open',
  messages: [],
  hasOlder: false,
  deletedIds: [],
}

/** Adds messages in order. A message received twice appears once, stays seen, and has its latest content. */
export function mergeMessages(current: VisitorMessage[], received: VisitorMessage[]): VisitorMessage[] {
  const byId = new Map(current.map((message) => [message.id, message]))
  for (const message of received) {
    const previous = byId.get(message.id)
    const newer = previous && (previous.edited_at ?? '') > (message.edited_at ?? '') ? previous : message
    byId.set(message.id, { ...newer, seen_at: message.seen_at ?? previous?.seen_at ?? null })
  }
  return [...byId.values()].sort((a, b) => a.number - b.number)
}

/** Applies an event. Events of other conversations, and repeated ones, change nothing. */
export function applyEvent(thread: Thread, received: VisitorEvent): Thread {
  const { conversation_id } = thread
  switch (received.event) {
    case 'shout':
      if (received.payload.conversation_id !== conversation_id || received.payload.private) return thread
      return withMessages(thread, [received.payload])
    case 'message:updated':
      // Messages that are not loaded come with their page.
      if (!thread.messages.some(({ id }) => id === received.payload.id)) return thread
      return withMessages(thread, [received.payload])
    case 'message:deleted': {
      const { id, conversation_id: source } = received.payload
      if (source !== conversation_id || thread.deletedIds.includes(id)) return thread
      return withMessages({ ...thread, deletedIds: [...thread.deletedIds, id] }, [])
    }
    case 'messages:seen':
      if (received.payload.conversation_id !== conversation_id) return thread
      return markSeen(thread, received.payload.seen_at, received.payload.up_to_number)
    case 'messages:read':
      if (received.payload.conversation_id !== conversation_id) return thread
      return markRead(thread, received.payload.seen_at, received.payload.up_to_number)
    case 'conversation:status':
      return received.payload.id === conversation_id ? { ...thread, status: received.payload.status } : thread
    default:
      return thread
  }
}

/** The thread with these messages added, except deleted ones. */
export function withMessages(thread: Thread, messages: VisitorMessage[]): Thread {
  const merged = mergeMessages(thread.messages, messages).filter(({ id }) => !thread.deletedIds.includes(id))
  return { ...thread, messages: merged }
}

/** Marks the team's messages up to a number as seen by the visitor. */
export function markSeen(thread: Thread, seen_at: string, up_to_number = Number.POSITIVE_INFINITY): Thread {
  if (!listUnseen(thread).some(({ number }) => number <= up_to_number)) return thread
  const messages = thread.messages.map((message) =>
    isUnseen(message) && message.number <= up_to_number ? { ...message, seen_at } : message,
  )
  return { ...thread, messages }
}

/** Marks the visitor's messages up to a number as read by the team. */
function markRead(thread: Thread, seen_at: string, up_to_number: number): Thread {
  const isUnseen = ({ customer_id, seen_at: previous, number }: VisitorMessage) =>
    customer_id !== null && previous === null && number <= up_to_number
  if (!thread.messages.some(isUnseen)) return thread
  return {
    ...thread,
    messages: thread.messages.map((message) => (isUnseen(message) ? { ...message, seen_at } : message)),
  }
}

/**
 * The thread as just loaded, with the events that arrived while it was loading: its messages may be older than those. What
 * was there before is not kept, because messages may be missing between it and the loaded page.
 */
export function loadThread(loaded: Omit<Thread, 'hasOlder'>, pageSize: number, arrived: VisitorEvent[]): Thread {
  const hasOlder = loaded.messages.length >= pageSize
  return arrived.reduce(applyEvent, withMessages({ ...loaded, messages: [], hasOlder }, loaded.messages))
}

/** Messages of the team that the visitor has not seen. */
export function listUnseen(thread: Thread): VisitorMessage[] {
  return thread.messages.filter(isUnseen)
}

/** The server never marks messages of bots without a user as seen, so they are not counted. */
function isUnseen({ user_id, seen_at }: VisitorMessage): boolean {
  return user_id !== null && seen_at === null
}
