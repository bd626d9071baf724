import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Message, messages, PAGE_SIZE } from '#contract/conversations/messages.ts'
import type { ClientEvent } from '#contract/events.ts'
import { call } from '../../../platform/http/api.ts'
import { eventsSince, position, remember } from '../../../platform/realtime/event-buffer.ts'
import { applyToThread, joinOlder, leavesGap, type Thread, withNewerPage, withOlderPage } from './apply-events.ts'

const KEY = ['messages', 'thread'] as const

/** The part of a conversation to load first: the newest messages, the first unread one, or a message number. */
export type ThreadPosition = 'newest' | 'unread' | number

/** A part of a conversation that can be extended in both directions. */
export function threadQuery(client: QueryClient, conversation_id: string, from: ThreadPosition = 'newest') {
  return queryOptions({
    queryKey: keyOf(conversation_id, from),
    queryFn: async ({ signal }): Promise<Thread> => {
      const moment = position()
      const page = await fetchPage(conversation_id, from, signal)
      const fresh = changesSince(moment, conversation_id).reduce(applyToThread, page)
      if (from !== 'newest') return fresh
      // Older pages loaded before are kept if they still connect to the newest one.
      return joinOlder(client.getQueryData<Thread>(keyOf(conversation_id, from)), fresh)
    },
    // Only the newest part is kept in the cache and updated by events.
    ...(from !== 'newest' && { gcTime: 0 }),
  })
}

/** Loads the page above the oldest loaded message. */
export async function loadOlder(client: QueryClient, conversation_id: string, from: ThreadPosition): Promise<void> {
  const key = keyOf(conversation_id, from)
  const before = client.getQueryData<Thread>(key)?.next
  if (!before) return
  const moment = position()
  const page = await call(messages.list, { query: { conversation_id, before, limit: PAGE_SIZE } })
  const missed = changesSince(moment, conversation_id)
  client.setQueryData<Thread>(key, (thread) => thread && missed.reduce(applyToThread, withOlderPage(thread, page)))
}

/** Loads the page below the newest loaded message, and applies the events that arrived meanwhile. */
export async function loadNewer(client: QueryClient, conversation_id: string, from: ThreadPosition): Promise<void> {
  const key = keyOf(conversation_id, from)
  const after = client.getQueryData<Thread>(key)?.previous
  if (!after) return
  const moment = position()
  const page = await call(messages.list, { query: { conversation_id, after, limit: PAGE_SIZE } })
  const missed = changesSince(moment, conversation_id)
  client.setQueryData<Thread>(key, (thread) => thread && missed.reduce(applyToThread, withNewerPage(thread, page)))
}

/** Deletes a message, and removes it here without waiting for an event, which is lost while disconnected. */
export async function deleteMessage(client: QueryClient, { id, conversation_id, number }: Message): Promise<void> {
  await call(messages.remove, { params: { id } })
  const event: ClientEvent = { event: 'message:deleted', payload: { id, conversation_id, number } }
  remember(event)
  applyMessageEvent(client, event)
}

export function applyMessageEvent(client: QueryClient, event: ClientEvent) {
  if (event.event === 'messages:moved') return outdateThreadsOf(client, [event.payload.from.id, event.payload.to.id])
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

/** Too many events were missed: the next load replaces everything loaded so far. */
export function outdateThreads(client: QueryClient) {
  client.setQueriesData<Thread>({ queryKey: KEY }, (thread) => thread && { ...thread, isOutdated: true })
}

/** The messages of these conversations have other numbers: what is loaded of them is loaded again. */
export function outdateThreadsOf(client: QueryClient, ids: string[]) {
  for (const id of ids) {
    const queryKey = [...KEY, id]
    client.setQueriesData<Thread>({ queryKey }, (thread) => thread && { ...thread, isOutdated: true })
    void client.invalidateQueries({ queryKey })
  }
}

async function fetchPage(conversation_id: string, from: ThreadPosition, signal: AbortSignal): Promise<Thread> {
  const around = from === 'newest' ? undefined : from
  const query = { conversation_id, around, limit: PAGE_SIZE }
  const { data, next, previous } = await call(messages.list, { query, signal })
  return { messages: [...data].sort((a, b) => a.number - b.number), next, previous }
}

function keyOf(conversation_id: string, from: ThreadPosition) {
  return [...KEY, conversation_id, from] as const
}

/** The events of one conversation since a position in the event stream. */
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

/** The conversations whose threads an event changes. */
function conversationsOf({ event, payload }: ClientEvent): string[] {
  if (event === 'conversations:moved') return payload.conversation_ids
  if (event === 'delivery:updated' || !IN_THREADS.has(event)) return []
  return 'conversation_id' in payload ? [payload.conversation_id] : []
}
