import type { ClientEvent } from '#contract/events.ts'
import type { Message } from '#contract/messages.ts'

/** The loaded part of one conversation, oldest first, without holes. */
export interface Thread {
  messages: Message[]
  /** Pass it as `before` for the next older page; null when the beginning is here. */
  next: number | null
  /** Pass it as `after` for the next newer page; null when the newest message is here, so that new ones belong below. */
  previous: number | null
  /** Events of the time in between will never come, such as that a message was deleted. */
  isOutdated?: boolean
}

type Moved = Extract<ClientEvent, { event: 'conversations:moved' }>['payload']

/** What an event makes of a thread. The same object when it changes nothing. */
export function applyToThread(thread: Thread, event: ClientEvent): Thread {
  if (event.event === 'shout') return withMessages(thread, [event.payload])
  if (event.event === 'message:updated') return { ...thread, messages: withChanged(thread.messages, event.payload) }
  if (event.event === 'message:deleted') return { ...thread, messages: without(thread.messages, event.payload) }
  if (event.event === 'messages:seen' || event.event === 'messages:read') return withSeen(thread, event)
  if (event.event === 'conversations:moved') return { ...thread, messages: withAuthor(thread.messages, event.payload) }
  return thread
}

/** What a customer said in conversations that are another's now is that one's. */
export function withAuthor(messages: Message[], { customer, from_customer_id }: Moved): Message[] {
  return messages.map((message) =>
    message.customer_id === from_customer_id ? { ...message, customer_id: customer.id } : message,
  )
}

/** A message in its newer state, if it is among these. */
export function withChanged(messages: Message[], changed: Message): Message[] {
  const isOlder = ({ id, edited_at }: Message) => id === changed.id && (edited_at ?? '') <= (changed.edited_at ?? '')
  return messages.map((message) => (isOlder(message) ? changed : message))
}

/** Messages without the one that was deleted. */
export function without(messages: Message[], gone: { id: string }): Message[] {
  return messages.filter(({ id }) => id !== gone.id)
}

/**
 * Inserts by number. A message that is known by its id is kept as it is: its changes are told by themselves. What lies
 * beyond either end of the loaded part stays out; it comes with its page.
 */
export function withMessages(thread: Thread, messages: Message[]): Thread {
  const known = new Set(thread.messages.map((message) => message.id))
  const oldest = thread.messages[0]?.number ?? 0
  const newest = thread.messages.at(-1)?.number ?? 0
  const isWithin = ({ number }: Message) =>
    (thread.next === null || number > oldest) && (thread.previous === null || number < newest)
  const fresh = messages.filter((message) => !known.has(message.id) && isWithin(message))
  if (fresh.length === 0) return thread
  return { ...thread, messages: [...thread.messages, ...fresh].sort((one, other) => one.number - other.number) }
}

/** Adds an older page on top. */
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
 * The first message of the customer that nobody on the team has read, as far as it is loaded. Whoever answered had read
 * what stood above, whether or not that was noted.
 */
export function firstUnread({ messages }: Thread): number | undefined {
  return messages.slice(messages.findLastIndex(isAnswer) + 1).find(isUnreadMessage)?.number
}

/** Whether older pages may hold unread messages as well: on this one nothing was read and nothing answered. */
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

/** A newest page that was loaded again, with the older pages kept above it when no hole lies between. */
export function joinOlder(known: Thread | undefined, fresh: Thread): Thread {
  const oldest = fresh.messages[0]?.number
  const newest = known?.messages.at(-1)?.number
  if (!known || known.isOutdated || oldest === undefined || newest === undefined || newest < oldest - 1) return fresh
  const older = known.messages.filter((message) => message.number < oldest)
  if (older.length === 0) return fresh
  return { ...fresh, messages: [...older, ...fresh.messages], next: known.next }
}

/** Whether a new message leaves a hole behind the newest one that is loaded, so that the newest page is needed again. */
export function leavesGap(thread: Thread, message: Message): boolean {
  const newest = thread.messages.at(-1)
  return !!newest && thread.previous === null && message.number > newest.number + 1
}

type Receipt = Extract<ClientEvent, { event: 'messages:seen' | 'messages:read' }>

/** Whether one side's receipt stamps this message: the customer sees the team's words, the team reads the customer's. */
export function isCoveredBy(message: Message, { event, payload }: Receipt): boolean {
  const author = event === 'messages:seen' ? message.user_id : message.customer_id
  return author !== null && !message.private && !message.seen_at && message.number <= payload.up_to_number
}

function withSeen(thread: Thread, receipt: Receipt): Thread {
  const isNews = (message: Message) => isCoveredBy(message, receipt)
  if (!thread.messages.some(isNews)) return thread
  return {
    ...thread,
    messages: thread.messages.map((message) =>
      isNews(message) ? { ...message, seen_at: receipt.payload.seen_at } : message,
    ),
  }
}
