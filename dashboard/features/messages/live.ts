import type { HeardEvent } from '#contract/events.ts'
import type { Message } from '#contract/messages.ts'

/** The loaded part of one conversation, oldest first, without holes. */
export interface Thread {
  messages: Message[]
  /** Pass it as `before` for the next older page; null when the beginning is here. */
  next: number | null
}

/** What an event makes of a thread. The same object when it changes nothing. */
export function applyToThread(thread: Thread, event: HeardEvent): Thread {
  if (event.event === 'shout') return withMessages(thread, [event.payload])
  if (event.event === 'messages:seen') return withSeen(thread, event.payload)
  return thread
}

/** Inserts by number. A message that is known by its id is kept as it is: messages never change. */
export function withMessages(thread: Thread, messages: Message[]): Thread {
  const known = new Set(thread.messages.map((message) => message.id))
  const oldest = thread.messages[0]?.number ?? 0
  const fresh = messages.filter(
    (message) => !known.has(message.id) && (thread.next === null || message.number > oldest),
  )
  if (fresh.length === 0) return thread
  return { ...thread, messages: [...thread.messages, ...fresh].sort((one, other) => one.number - other.number) }
}

/** Adds an older page on top. */
export function withOlderPage(thread: Thread, page: { data: Message[]; next: number | null }): Thread {
  const { messages } = withMessages({ messages: thread.messages, next: null }, page.data)
  return { messages, next: page.next }
}

/** A newest page that was loaded again, with the older pages kept above it when no hole lies between. */
export function joinOlder(known: Thread | undefined, fresh: Thread): Thread {
  const oldest = fresh.messages[0]?.number
  const newest = known?.messages.at(-1)?.number
  if (!known || oldest === undefined || newest === undefined || newest < oldest - 1) return fresh
  const older = known.messages.filter((message) => message.number < oldest)
  if (older.length === 0) return fresh
  return { messages: [...older, ...fresh.messages], next: known.next }
}

/** Whether a new message leaves a hole behind the newest one that is loaded, so that the newest page is needed again. */
export function leavesHole(thread: Thread, message: Message): boolean {
  const newest = thread.messages.at(-1)
  return !!newest && message.number > newest.number + 1
}

function withSeen(thread: Thread, seen: { seen_at: string; up_to_number: number }): Thread {
  const isNews = (message: Message) =>
    message.user_id !== null && !message.private && !message.seen_at && message.number <= seen.up_to_number
  if (!thread.messages.some(isNews)) return thread
  return {
    ...thread,
    messages: thread.messages.map((message) => (isNews(message) ? { ...message, seen_at: seen.seen_at } : message)),
  }
}
