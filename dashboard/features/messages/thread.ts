import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { HeardEvent } from '#contract/events.ts'
import { messages, PAGE_SIZE } from '#contract/messages.ts'
import { call } from '../../api.ts'
import { heardSince, now } from '../../recent.ts'
import { applyToThread, joinOlder, leavesHole, type Thread, withOlderPage } from './live.ts'

const KEY = ['messages', 'thread'] as const

/** The newest page of a conversation. Older pages that were loaded before stay, if they still reach up to it. */
export function threadQuery(client: QueryClient, conversation_id: string) {
  return queryOptions({
    queryKey: [...KEY, conversation_id],
    queryFn: async ({ signal }): Promise<Thread> => {
      const place = now()
      const page = await fetchPage(conversation_id, signal)
      const fresh = heardSince(place)
        .filter((event) => isOf(event, conversation_id))
        .reduce(applyToThread, page)
      return joinOlder(client.getQueryData<Thread>([...KEY, conversation_id]), fresh)
    },
  })
}

/** Loads the page above the oldest message. */
export async function loadOlder(client: QueryClient, conversation_id: string): Promise<void> {
  const before = client.getQueryData<Thread>([...KEY, conversation_id])?.next
  if (!before) return
  const page = await call(messages.list, { query: { conversation_id, before, limit: PAGE_SIZE } })
  client.setQueryData<Thread>([...KEY, conversation_id], (thread) => thread && withOlderPage(thread, page))
}

export function hearMessage(client: QueryClient, event: HeardEvent) {
  if (event.event !== 'shout' && event.event !== 'messages:seen') return
  const key = [...KEY, event.payload.conversation_id]
  const thread = client.getQueryData<Thread>(key)
  if (!thread) return
  if (event.event === 'shout' && leavesHole(thread, event.payload)) client.invalidateQueries({ queryKey: key })
  const next = applyToThread(thread, event)
  if (next !== thread) client.setQueryData(key, next)
}

async function fetchPage(conversation_id: string, signal: AbortSignal): Promise<Thread> {
  const { data, next } = await call(messages.list, { query: { conversation_id, limit: PAGE_SIZE }, signal })
  return { messages: data.toSorted((one, other) => one.number - other.number), next }
}

function isOf(event: HeardEvent, conversation_id: string): boolean {
  return 'conversation_id' in event.payload && event.payload.conversation_id === conversation_id
}
