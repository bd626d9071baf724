import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ClientEvent } from '#contract/events.ts'
import { type Message, messages, PAGE_SIZE } from '#contract/messages.ts'
import { call } from '../../platform/http/api.ts'
import { eventsSince, position, remember } from '../../platform/realtime/event-buffer.ts'
import { applyToThread, joinOlder, leavesGap, type Thread, withNewerPage, withOlderPage } from './apply-events.ts'

const KEY = ['messages', 'thread'] as const

/** Which part of a conversation is loaded first: its end, the first unread message, or the message with a number. */
export type ThreadPosition = 'newest' | 'unread' | number

/** A part of a conversation from which one reads on in both directions. */
export function threadQuery(client: QueryClient, conversation_id: string, from: ThreadPosition = 'newest') {
  return queryOptions({
    queryKey: keyOf(conversation_id, from),
    queryFn: async ({ signal }): Promise<Thread> => {
      const moment = position()
      const page = await fetchPage(conversation_id, from, signal)
      const fresh = changesSince(moment, conversation_id).reduce(applyToThread, page)
      if (from !== 'newest') return fresh
      // Older pages that were loaded before stay, if they still reach up to the newest one.
      return joinOlder(client.getQueryData<Thread>(keyOf(conversation_id, from)), fresh)
    },
    // An older part is read once; the newest is kept up to date for the next visit.
    ...(from !== 'newest' && { gcTime: 0 }),
  })
}

/** Loads the page above the oldest message. */
export async function loadOlder(client: QueryClient, conversation_id: string, from: ThreadPosition): Promise<void> {
  const key = keyOf(conversation_id, from)
  const before = client.getQueryData<Thread>(key)?.next
  if (!before) return
  const moment = position()
  const page = await call(messages.list, { query: { conversation_id, before, limit: PAGE_SIZE } })
  const missed = changesSince(moment, conversation_id)
  client.setQueryData<Thread>(key, (thread) => thread && missed.reduce(applyToThread, withOlderPage(thread, page)))
}

/** Loads the page below the newest loaded message, and applies the events that came while it was on its way. */
export async function loadNewer(client: QueryClient, conversation_id: string, from: ThreadPosition): Promise<void> {
  const key = keyOf(conversation_id, from)
  const after = client.getQueryData<Thread>(key)?.previous
  if (!after) return
  const moment = position()
  const page = await call(messages.list, { query: { conversation_id, after, limit: PAGE_SIZE } })
  const missed = changesSince(moment, conversation_id)
  client.setQueryData<Thread>(key, (thread) => thread && missed.reduce(applyToThread, withNewerPage(thread, page)))
}

/** Destroys a message. It is gone from here as soon as the server says so, whether or not there is a line. */
export async function deleteMessage(client: QueryClient, { id, conversation_id, number }: Message): Promise<void> {
  await call(messages.remove, { params: { id } })
  const event: ClientEvent = { event: 'message:deleted', payload: { id, conversation_id, number } }
  remember(event)
  applyMessageEvent(client, event)
}

export function applyMessageEvent(client: QueryClient, event: ClientEvent) {
  for (const id of conversationsOf(event)) applyToCached(client, event, id)
}

function applyToCached(client: QueryClient, event: ClientEvent, conversation_id: string) {
  const queryKey = [...KEY, conversation_id]
  for (const [key, thread] of client.getQueriesData<Thread>({ queryKey })) {
    if (!thread) continue
    if (event.event === 'shout' && leavesGap(thread, event.payload)) client.invalidateQueries({ queryKey: key })
    const next = applyToThread(thread, event)
    if (next !== thread) client.setQueryData(key, next)
  }
}

/** Too much was missed: what is loaded next takes the place of all that is here. */
export function outdateThreads(client: QueryClient) {
  client.setQueriesData<Thread>({ queryKey: KEY }, (thread) => thread && { ...thread, isOutdated: true })
}

async function fetchPage(conversation_id: string, from: ThreadPosition, signal: AbortSignal): Promise<Thread> {
  const around = from === 'newest' ? undefined : from
  const query = { conversation_id, around, limit: PAGE_SIZE }
  const { data, next, previous } = await call(messages.list, { query, signal })
  return { messages: data.toSorted((one, other) => one.number - other.number), next, previous }
}

function keyOf(conversation_id: string, from: ThreadPosition) {
  return [...KEY, conversation_id, from] as const
}

/** The events of one conversation that came while a page of it was on its way. */
function changesSince(moment: number, conversation_id: string): ClientEvent[] {
  return eventsSince(moment).filter((event) => conversationsOf(event).includes(conversation_id))
}

const IN_THREADS = new Set<ClientEvent['event']>([
  'shout',
  'message:updated',
  'message:deleted',
  'messages:seen',
  'messages:read',
])

/** The conversations in whose threads an event changes something. */
function conversationsOf({ event, payload }: ClientEvent): string[] {
  if (event === 'conversations:moved') return payload.conversation_ids
  if (event === 'delivery:updated' || !IN_THREADS.has(event)) return []
  return 'conversation_id' in payload ? [payload.conversation_id] : []
}
