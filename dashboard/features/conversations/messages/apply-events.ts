import type { Message } from '#contract/conversations/messages.ts'
import type { ClientEvent } from '#contract/events.ts'

/** The loaded part of a conversation, oldest message first, without gaps. */
export interface Thread {
  messages: Message[]
  /** Pass it as `before` for the next older page; null if the first message is loaded. */
  next: number | null
  /**
   * Pass it as `after` for the next newer page; null if the newest message is loaded, so that new ones can be appended.
   */
  previous: number | null
  /** Events were missed, such as deletions, so the messages may be outdated. */
  isOutdated?: boolean
}

type MovedMessage = Extract<ClientEvent, { event: 'conversations:moved' }>['payload']

/** Applies an event to a thread. Returns the same object if nothing changes. */
export function applyToThread(thread: Thread, event: ClientEvent): Thread {
  if (event.event === 'shout') return withMessages(thread, [event.payload])
  if (event.event === 'message:updated') return { ...thread, messages: withChanged(thread.messages, event.payload) }
  if (event.event === 'message:deleted') return { ...thread, messages: without(thread.messages, event.payload) }
  if (event.event === 'messages:seen' || event.event === 'messages:read') return withSeen(thread, event)
  if (event.event === 'conversations:moved') return { ...thread, messages: withAuthor(thread.messages, event.payload) }
  return thread
}

/** When conversations move to another customer, so do the customer's messages in them. */
export function withAuthor(messages: Message[], { customer, from_customer_id }: MovedMessage): Message[] {
  return messages.map((message) =>
    message.customer_id === from_customer_id ? { ...message, customer_id: customer.id } : message,
  )
}

/** Replaces a message with its newer state, if it is among these. */
export function withChanged(messages: Message[], changed: Message): Message[] {
  const isOlder = ({ id, edited_at }: Message) => id === changed.id && (edited_at ?? '') <= (changed.edited_at ?? '')
  return messages.map((message) => (isOlder(message) ? changed : message))
}

export function without(messages: Message[], deleted: { id: string }): Message[] {
  return messages.filter(({ id }) => id !== deleted.id)
}

/**
 * Inserts messages by number. Known messages are kept as they are, because their changes have events of their own.
 * Messages outside the loaded part are left out; they come with their page.
 */
export function withMessages(thread: Thread, messages: Message[]): Thread {
  const knownIds = new Set(thread.messages.map((message) => message.id))
  const oldest = thread.messages[0]?.number ?? 0
  const newest = thread.messages.at(-1)?.number ?? 0
  const isWithin = ({ number }: Message) =>
    (thread.next === null || number > oldest) && (thread.previous === null || number < newest)
  const fresh = messages.filter((message) => !knownIds.has(message.id) && isWithin(message))
  if (fresh.length === 0) return thread
  return { ...thread, messages: [...thread.messages, ...fresh].sort((a, b) => a.number - b.number) }
}

/** Adds an older page above. */
export function withOlderPage(thread: Thread, page: { data: Message[]; next: number | null }): Thread {
  const { messages } = withMessages({ messages: thread.messages, next: null, previous: null }, page.data)
  return { ...thread, messages, next: page.next }
}

/** Adds a newer page below. */
export function withNewerPage(thread: Thread, page: { data: Message[]; previous: number | null }): Thread {
  const { messages } = withMessages({ messages: thread.messages, next: null, previous: null }, page.data)
  return { ...thread, messages, previous: page.previous }
}

/**
 * The first loaded customer message that nobody on the team has read. A reply counts as having read everything above
 * it.
 */
export function firstUnread({ messages }: Thread): number | undefined {
  return messages.slice(messages.findLastIndex(isAnswer) + 1).find(isUnreadMessage)?.number
}

/** Whether older pages may hold unread messages too: on this page nothing was read or answered. */
export function mayBeginEarlier({ messages, next }: Thread): boolean {
  const first = messages.find((message) => message.customer_id !== null)
  return next !== null && !!first && isUnreadMessage(first) && !messages.some(isAnswer)
}

function isAnswer({ user_id, private: isPrivate, type }: Message): boolean {
  return user_id !== null && !isPrivate && type === 'reply'
}

function isUnreadMessage({ customer_id, seen_at }: Message): boolean {
  return customer_id !== null && !seen_at
}

/** Merges a reloaded newest page with the older pages above it, if there is no gap between them. */
export function joinOlder(loaded: Thread | undefined, fresh: Thread): Thread {
  const oldest = fresh.messages[0]?.number
  const newest = loaded?.messages.at(-1)?.number
  if (!loaded || loaded.isOutdated || oldest === undefined || newest === undefined || newest < oldest - 1) return fresh
  const older = loaded.messages.filter((message) => message.number < oldest)
  if (older.length === 0) return fresh
  return { ...fresh, messages: [...older, ...fresh.messages], next: loaded.next }
}

/**
 * Whether messages are missing between the newest loaded one and this one, so that the newest page must be reloaded.
 */
export function leavesGap(thread: Thread, message: Message): boolean {
  const newest = thread.messages.at(-1)
  return !!newest && thread.previous === null && message.number > newest.number + 1
}

type Receipt = Extract<ClientEvent, { event: 'messages:seen' | 'messages:read' }>

/** Whether a receipt applies to this message: customers see the team's messages, the team reads the customer's. */
export function isCoveredBy(message: Message, { event, payload }: Receipt): boolean {
  const author = event === 'messages:seen' ? message.user_id : message.customer_id
  return author !== null && !message.private && !message.seen_at && message.number <= payload.up_to_number
}

function withSeen(thread: Thread, receipt: Receipt): Thread {
  const isNewlySeen = (message: Message) => isCoveredBy(message, receipt)
  if (!thread.messages.some(isNewlySeen)) return thread
  return {
    ...thread,
    messages: thread.messages.map((message) =>
      isNewlySeen(message) ? { ...message, seen_at: receipt.payload.seen_at } : message,
    ),
  }
}
