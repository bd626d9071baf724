import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { ClientEvent } from '#contract/events.ts'
import { remember } from '../../../platform/realtime/event-buffer.ts'
import { storeTokens } from '../../../platform/session/session.ts'
import { conversation, ME, message, storage } from '../../../testing/samples.ts'
import { applyConversationEvent, findConversation, listQuery, loadMore } from './cache.ts'
import { countsQuery } from './counts.ts'
import { addPatch } from './patches.ts'
import type { ConversationList, View } from './views.ts'

const all: View = { bucket: 'all' }
const unread: View = { bucket: 'unread' }
let client: QueryClient
let requests: string[]
/** The server's answers by path. A function runs before it answers. */
let answers: Record<string, unknown>

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('location', { protocol: 'http:', search: '' })
  vi.stubGlobal('fetch', async (address: string) => {
    requests.push(address)
    const answer = answers[address.split('?')[0] ?? '']
    return Response.json(typeof answer === 'function' ? await answer() : answer)
  })
  storeTokens({ user_id: ME, email: 'a', account_id: 'a1', token: 't', renew_token: 'r' })
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } })
  requests = []
  answers = {
    '/api/conversations/unread': {
      data: {
        conversations: { open: 5, unread: 5, assigned: 0, unassigned: 5, priority: 0, closed: 0, mentioned: 0 },
        inboxes: { i1: 5 },
        totals: { conversations: { open: 9 }, inboxes: { i1: 9 } },
      },
    },
  }
})

afterEach(async () => {
  await vi.runOnlyPendingTimersAsync()
  client.clear()
  vi.useRealTimers()
})

const page = (...data: Conversation[]) => ({ data, next: null, previous: null, limit: 50, total: data.length })
const load = (view: View) => client.fetchQuery(listQuery(client, view, ME))
const ids = (view: View) =>
  client.getQueryData<ConversationList>(['conversations', 'list', view])?.conversations.map(({ id }) => id)
const receive = (event: ClientEvent) => {
  remember(event)
  applyConversationEvent(client, event, ME)
}
const updated = (row: Conversation): ClientEvent => ({
  event: 'conversation:updated',
  payload: { id: row.id, updates: row },
})

describe('the lists on screen', () => {
  it('ask for the newest message of each conversation only', async () => {
    answers['/api/conversations'] = page(conversation())
    await load({ bucket: 'unassigned', inbox_id: 'i1' })
    expect(requests).toEqual(['/api/conversations?status=open&snoozed=false&assignee_id=&inbox_id=i1&messages=last'])
  })

  it('are updated by an event without another request', async () => {
    answers['/api/conversations'] = page(conversation({ read: false, version: 1 }))
    await load(all)
    await load(unread)
    await client.fetchQuery(countsQuery)
    requests = []
    receive(updated(conversation({ read: true, version: 2 })))
    expect(ids(all)).toEqual(['c1'])
    expect(ids(unread)).toEqual([])
    expect(client.getQueryData(countsQuery.queryKey)).toMatchObject({ conversations: { open: 4 }, inboxes: { i1: 4 } })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(requests).toEqual([])
  })

  it('fetch an unknown conversation once, and insert it where it belongs', async () => {
    answers['/api/conversations'] = page(conversation())
    await load(all)
    const stranger = conversation({
      id: 'c2',
      last_activity_at: '2026-11-20T12:00:00Z',
      messages: [message({ number: 9 })],
    })
    answers['/api/conversations/c2'] = { data: stranger }
    requests = []
    receive({ event: 'shout', payload: message({ conversation_id: 'c2', number: 9 }) })
    receive({ event: 'shout', payload: message({ conversation_id: 'c2', number: 10 }) })
    await vi.advanceTimersByTimeAsync(200)
    expect(requests.filter((address) => address === '/api/conversations/c2?messages=last')).toHaveLength(1)
    expect(ids(all)).toEqual(['c2', 'c1'])
  })

  it('do not lose events that arrive while they load', async () => {
    const fresh = conversation({ id: 'new', last_activity_at: '2026-11-20T12:00:00Z' })
    answers['/api/conversations'] = () => {
      receive({ event: 'conversation:created', payload: { id: 'new', conversation: fresh } })
      receive(updated(conversation({ status: 'closed', version: 2 })))
      return page(conversation({ version: 1 }))
    }
    answers['/api/conversations/c1'] = { data: conversation({ status: 'closed', version: 2 }) }
    client.setQueryData(['conversations', 'one', 'new'], fresh)
    await load(all)
    expect(ids(all)).toEqual(['new'])
  })

  it('do not show conversations that are being closed', async () => {
    answers['/api/conversations'] = page(conversation(), conversation({ id: 'c0' }))
    addPatch(client, conversation(), { status: 'closed' })
    await load(all)
    expect(ids(all)).toEqual(['c0'])
  })

  it('show the page after the last one below', async () => {
    answers['/api/conversations'] = { ...page(conversation()), next: 'cursor' }
    await load(all)
    answers['/api/conversations'] = page(conversation({ id: 'c0' }))
    await loadMore(client, all, ME)
    expect(requests.at(-1)).toContain('after=cursor')
    expect(ids(all)).toEqual(['c1', 'c0'])
  })

  it('leave out a conversation of the next page that is closed while the page loads', async () => {
    answers['/api/conversations'] = { ...page(conversation()), next: 'cursor' }
    await load(all)
    const closed = conversation({ id: 'c0', version: 2, status: 'closed' })
    answers['/api/conversations/c0'] = { data: closed }
    answers['/api/conversations'] = async () => {
      receive(updated(closed))
      await vi.advanceTimersByTimeAsync(1_000)
      return page(conversation({ id: 'c0', version: 1 }))
    }
    await loadMore(client, all, ME)
    expect(ids(all)).toEqual(['c1'])
  })
})

describe('the counters', () => {
  it('are counted again at most once in two seconds, however many events of unknown conversations arrive', async () => {
    await client.fetchQuery(countsQuery)
    requests = []
    const counted = () => requests.filter((address) => address.endsWith('/unread')).length
    const leave = new QueryObserver(client, countsQuery).subscribe(() => {})
    for (let second = 0; second < 10; second++) {
      for (let each = 0; each < 20; each++) receive(updated(conversation({ id: `stranger ${second} ${each}` })))
      await vi.advanceTimersByTimeAsync(1_000)
    }
    leave()
    expect(counted()).toBeGreaterThanOrEqual(3)
    expect(counted()).toBeLessThanOrEqual(5)
  })
})

it('finds the newest state of a conversation that any part of the screen knows', async () => {
  answers['/api/conversations'] = page(conversation({ version: 3 }))
  await load(all)
  client.setQueryData(['conversations', 'one', 'c1'], conversation({ version: 2 }))
  expect(findConversation(client, 'c1')?.version).toBe(3)
  expect(findConversation(client, 'nobody')).toBeUndefined()
})
