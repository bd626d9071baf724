import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { ViewCondition } from '#contract/conversations/view-conditions.ts'
import type { ClientEvent } from '#contract/events.ts'
import { remember } from '../../../platform/realtime/event-buffer.ts'
import { storeTokens } from '../../../platform/session/session.ts'
import { conversation, ME, message, storage } from '../../../testing/samples.ts'
import { applyConversationEvent, listQuery, loadMore, pruneLists } from '../conversations/cache.ts'
import { setViewed } from '../conversations/viewing.ts'
import type { ConversationList, View } from '../conversations/views.ts'
import { viewEvents } from './events.ts'

const viewOf = (...conditions: ViewCondition[]): View => ({
  bucket: 'all',
  saved: { id: 'v1', sort: 'activity', conditions: conditions.map((condition) => [condition]) },
})
const open: ViewCondition = { field: 'status', operator: 'is', values: ['open'] }
const mine = viewOf(open, { field: 'assignee', operator: 'is', values: ['me'] })
const lamps = viewOf(open, { field: 'subject', operator: 'contains', values: ['lamp'] })

let client: QueryClient
let requests: string[]
let pages: Record<string, { data: Conversation[]; next: string | null }>

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('location', { protocol: 'http:', search: '' })
  vi.stubGlobal('fetch', async (address: string) => {
    requests.push(address)
    return Response.json(pages[new URL(address, 'http://x').searchParams.get('after') ?? ''])
  })
  storeTokens({ user_id: ME, email: 'a', account_id: 'a1', token: 't', renew_token: 'r' })
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } })
  requests = []
  setViewed(undefined)
})

afterEach(async () => {
  setViewed(undefined)
  await vi.runOnlyPendingTimersAsync()
  client.clear()
  vi.useRealTimers()
})

const receive = (event: ClientEvent) => {
  remember(event)
  applyConversationEvent(client, event, ME)
  viewEvents.apply?.(client, event, ME)
}
const updated = (row: Conversation): ClientEvent => ({
  event: 'conversation:updated',
  payload: { id: row.id, updates: row },
})
const ids = (view: View) =>
  client.getQueryData<ConversationList>(['conversations', 'list', view])?.conversations.map(({ id }) => id)
const assigned = (id: string, version: number, assignee_id: number | null) => conversation({ id, version, assignee_id })

it('a conversation leaves a view by an event where the list can tell, unless it is open', async () => {
  pages = { '': { data: [assigned('c1', 1, ME), assigned('c2', 1, ME)], next: null } }
  await client.fetchQuery(listQuery(client, mine, ME))
  expect(requests).toEqual(['/api/conversation_views/v1/conversations?messages=last'])
  setViewed('c1')
  receive(updated(assigned('c1', 2, null)))
  receive(updated(assigned('c2', 2, null)))
  expect(ids(mine)).toEqual(['c1'])
  setViewed('c2')
  pruneLists(client, ME)
  expect(ids(mine)).toEqual([])
})

it('a list of which only the server knows is loaded again soon, and at most every ten seconds', async () => {
  pages = { '': { data: [conversation()], next: null } }
  const observer = new QueryObserver(client, listQuery(client, lamps, ME))
  const stop = observer.subscribe(() => undefined)
  // Longer than since the last time in another test.
  await vi.advanceTimersByTimeAsync(20_000)
  requests = []
  const loads = () => requests.filter((address) => address.startsWith('/api/conversation_views/v1')).length
  for (let number = 2; number < 30; number++) {
    receive({ event: 'shout', payload: message({ number }) })
    await vi.advanceTimersByTimeAsync(500)
  }
  expect(loads()).toBe(2)
  expect(ids(lamps)).toEqual(['c1'])
  stop()
})

it('a view that is loaded again keeps as many conversations as were loaded, and the open one', async () => {
  pages = {
    '': { data: [conversation({ id: 'c1' }), conversation({ id: 'c2' })], next: 'second' },
    second: { data: [conversation({ id: 'c3' }), conversation({ id: 'c4' })], next: null },
  }
  await client.fetchQuery(listQuery(client, lamps, ME))
  await loadMore(client, lamps, ME)
  expect(ids(lamps)).toHaveLength(4)
  setViewed('c2')
  pages = {
    '': { data: [conversation({ id: 'c1' })], next: 'second' },
    second: { data: [conversation({ id: 'c3' }), conversation({ id: 'c4' })], next: null },
  }
  await client.fetchQuery({ ...listQuery(client, lamps, ME), staleTime: 0 })
  expect(ids(lamps)?.toSorted()).toEqual(['c1', 'c2', 'c3', 'c4'])
})
