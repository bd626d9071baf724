import type { HeardEvent } from '#contract/events.ts'
import type { Message } from '#contract/messages.ts'

/** A conversation as its customer sees it. Messages stand in the order of their numbers, the oldest first. */
export interface Thread {
  conversation_id: string | null
  status: 'open' | 'closed'
  messages: Message[]
  hasOlder: boolean
}

export const EMPTY_THREAD: Thread = { conversation_id: null, status: 'open', messages: [], hasOlder: false }

/** Adds messages that are not there yet, in their place. A message heard twice stays one, and stays seen. */
export function mergeMessages(present: Message[], heard: Message[]): Message[] {
  const byId = new Map(present.map((message) => [message.id, message]))
  for (const message of heard) {
    const seen_at = message.seen_at ?? byId.get(message.id)?.seen_at ?? null
    byId.set(message.id, { ...message, seen_at })
  }
  return [...byId.values()].sort((one, other) => one.number - other.number)
}

/** Applies what happened, heard live or caught up with. Hearing it twice changes nothing; other conversations neither. */
export function applyEvent(thread: Thread, heard: HeardEvent): Thread {
  const { conversation_id } = thread
  switch (heard.event) {
    case 'shout':
      if (heard.payload.conversation_id !== conversation_id || heard.payload.private) return thread
      return { ...thread, messages: mergeMessages(thread.messages, [heard.payload]) }
    case 'messages:seen':
      if (heard.payload.conversation_id !== conversation_id) return thread
      return markSeen(thread, heard.payload.seen_at, heard.payload.up_to_number)
    case 'messages:read':
      if (heard.payload.conversation_id !== conversation_id) return thread
      return markRead(thread, heard.payload.seen_at, heard.payload.up_to_number)
    case 'conversation:status':
      return heard.payload.id === conversation_id ? { ...thread, status: heard.payload.status } : thread
    default:
      return thread
  }
}

/** The visitor has seen the team's messages up to a number. */
export function markSeen(thread: Thread, seen_at: string, up_to_number = Number.POSITIVE_INFINITY): Thread {
  if (!listUnseen(thread).some(({ number }) => number <= up_to_number)) return thread
  const messages = thread.messages.map((message) =>
    isUnseen(message) && message.number <= up_to_number ? { ...message, seen_at } : message,
  )
  return { ...thread, messages }
}

/** The team has read the visitor's messages up to a number. */
function markRead(thread: Thread, seen_at: string, up_to_number: number): Thread {
  const isNews = ({ customer_id, seen_at: known, number }: Message) =>
    customer_id !== null && known === null && number <= up_to_number
  if (!thread.messages.some(isNews)) return thread
  return {
    ...thread,
    messages: thread.messages.map((message) => (isNews(message) ? { ...message, seen_at } : message)),
  }
}

/**
 * A conversation loaded afresh. What was heard beyond its newest message while it was loading is kept; what is older
 * is not, because between it and the loaded page something may be missing.
 */
export function loadThread(thread: Thread, loaded: Omit<Thread, 'hasOlder'>, pageSize: number): Thread {
  const page = mergeMessages([], loaded.messages)
  const newest = page.at(-1)?.number ?? 0
  const later =
    thread.conversation_id === loaded.conversation_id ? thread.messages.filter(({ number }) => number > newest) : []
  return { ...loaded, messages: [...page, ...later], hasOlder: page.length >= pageSize }
}

/** Messages of the team that the visitor has not seen. */
export function listUnseen(thread: Thread): Message[] {
  return thread.messages.filter(isUnseen)
}

/** Bots without a user behind them are not stamped by the server, so they are never counted. */
function isUnseen({ user_id, seen_at }: Message): boolean {
  return user_id !== null && seen_at === null
}
