import { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Conversation, ConversationRow } from '#contract/conversations/conversations.ts'
import { storeTokens } from '../../../platform/session/session.ts'
import { conversation, ME, storage } from '../../../testing/samples.ts'
import { dismiss, readAction, readNotices } from '../../../ui/notices.ts'
import { applyConversationEvent } from './cache.ts'
import { createActions } from './conversation-actions.ts'
import type { ConversationList } from './views.ts'

interface PendingRequest {
  id: string
  changes: Partial<ConversationRow>
  answer: (response: Response) => void
}

let client: QueryClient
let actions: ReturnType<typeof createActions>
/** Requests that the fake server has not answered yet. */
let requests: PendingRequest[]
/** The fake server's data. */
let stored: Map<string, Conversation>

const LIST = ['conversations', 'list', { bucket: 'all' }]
const shown = () =>
  client.getQueryData<ConversationList>(LIST)!.conversations.map(({ id, status }) => `${id} ${status}`)
const undo = () => readAction('mod+z')?.()
const titles = () => readNotices().map(({ title }) => title)

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('location', { protocol: 'http:', search: '' })
  vi.stubGlobal('fetch', (address: string, { body }: { body: string }) => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    const [id = '', isArchived] = address.split('/conversations/')[1]!.split('/')
    const changes = isArchived ? { archived_at: '2026-11-20T09:00:00Z' } : JSON.parse(body).conversation
    requests.push({ id, changes, answer: resolve })
    return promise
  })
  storeTokens({ user_id: ME, email: 'a', account_id: 'a1', token: 't', renew_token: 'r' })
  client = new QueryClient()
  actions = createActions(client, ((key: string) => key) as TFunction, ME)
  requests = []
  const minute = (at: number) => `2026-11-20T08:0${9 - at}:00Z`
  const three = ['c1', 'c2', 'c3'].map((id, at) => conversation({ id, last_activity_at: minute(at) }))
  stored = new Map(three.map((row) => [row.id, row]))
  client.setQueryData(LIST, { conversations: three, next: null })
})

afterEach(async () => {
  await vi.runOnlyPendingTimersAsync()
  client.clear()
  for (const { id } of readNotices()) dismiss(id)
  vi.useRealTimers()
})

const close = (id: string) => void actions.close([stored.get(id)!])
const leave = () => vi.advanceTimersByTimeAsync(400)

/** Performs a request, publishes the event, and answers afterwards. */
async function answer(id: string) {
  const at = requests.findIndex((request) => request.id === id)
  const [{ changes, answer }] = requests.splice(at, 1) as [PendingRequest]
  const before = stored.get(id)!
  const version = before.version + 1
  const last_activity_at = `2026-11-20T09:0${version}:00Z`
  const after = { ...before, ...changes, version, last_activity_at }
  stored.set(id, after)
  applyConversationEvent(client, { event: 'conversation:updated', payload: { id, updates: after } }, ME)
  const between = shown()
  answer(Response.json({ data: after }))
  await vi.advanceTimersByTimeAsync(0)
  return between
}

async function rejectRequest(id: string) {
  const at = requests.findIndex((request) => request.id === id)
  const [{ answer }] = requests.splice(at, 1) as [PendingRequest]
  answer(Response.json({ error: { status: 403, message: 'Not yours.' } }, { status: 403 }))
  await vi.advanceTimersByTimeAsync(0)
}

const ALL_OPEN = ['c1 open', 'c2 open', 'c3 open']

describe('undo while the server is still being asked', () => {
  it('restores a closed conversation at once and for good, in whatever order responses arrive', async () => {
    for (const id of ['c1', 'c2', 'c3']) close(id)
    await leave()
    expect(shown()).toEqual([])
    for (let i = 0; i < 3; i++) undo()
    expect(shown()).toEqual(ALL_OPEN)
    for (const id of ['c2', 'c3', 'c1']) expect(await answer(id)).toEqual(ALL_OPEN)
    expect(shown()).toEqual(ALL_OPEN)
    expect(requests.map(({ id, changes }) => [id, changes.status])).toEqual([
      ['c2', 'open'],
      ['c3', 'open'],
      ['c1', 'open'],
    ])
    for (const id of ['c3', 'c2', 'c1']) await answer(id)
    expect(shown().sort()).toEqual(ALL_OPEN)
    expect([...stored.values()].map(({ status }) => status)).toEqual(['open', 'open', 'open'])
  })

  it('removes a conversation that is closed again before the first response has arrived', async () => {
    close('c1')
    await leave()
    undo()
    expect(shown()).toEqual(ALL_OPEN)
    close('c1')
    await leave()
    expect(shown()).toEqual(['c2 open', 'c3 open'])
    expect(
      requests.map(({ changes }) => changes.status),
      'the second waits for the first',
    ).toEqual(['closed'])
    await answer('c1')
    await answer('c1')
    expect(shown()).toEqual(['c2 open', 'c3 open'])
    expect(requests).toEqual([])
  })

  it('sends nothing if the conversation was not closed yet', async () => {
    close('c2')
    await vi.advanceTimersByTimeAsync(100)
    undo()
    await leave()
    expect(requests).toEqual([])
    expect(shown()).toEqual(ALL_OPEN)
  })

  it('does not report an error of a change that was undone', async () => {
    close('c1')
    await leave()
    undo()
    await rejectRequest('c1')
    expect(shown()).toEqual(ALL_OPEN)
    expect(titles()).toEqual([])
    expect(requests).toEqual([])
  })

  it('shows it as closed again if undoing fails, and offers to retry', async () => {
    close('c1')
    await leave()
    undo()
    await answer('c1')
    await rejectRequest('c1')
    expect(shown()).toEqual(['c2 open', 'c3 open'])
    const [notice] = readNotices()
    expect(notice).toMatchObject({ kind: 'error', title: 'Not yours.' })
    notice!.action!.run()
    await answer('c1')
    expect(shown()).toEqual(ALL_OPEN)
  })

  it('restores deleted and snoozed conversations in the same way', async () => {
    void actions.archive([stored.get('c1')!])
    void actions.snooze([stored.get('c2')!], null)
    expect(shown()).toEqual(['c3 open'])
    undo()
    undo()
    expect(shown()).toEqual(ALL_OPEN)
    expect(await answer('c1')).toEqual(ALL_OPEN)
    await rejectRequest('c1')
    expect(shown(), 'deleted it stays where bringing back is refused').toEqual(['c2 open', 'c3 open'])
    await answer('c2')
    await answer('c2')
    expect(shown()).toEqual(['c2 open', 'c3 open'])
  })
})

describe('an event that arrives during the request', () => {
  const receive = (id: string, updates: Partial<ConversationRow>) => {
    const after = { ...stored.get(id)!, ...updates, version: stored.get(id)!.version + 1 }
    stored.set(id, after)
    applyConversationEvent(client, { event: 'conversation:updated', payload: { id, updates: after } }, ME)
  }

  it('does not show a conversation that is being closed', async () => {
    close('c2')
    await leave()
    receive('c2', { read: true })
    expect(shown()).toEqual(['c1 open', 'c3 open'])
    await answer('c2')
    expect(shown()).toEqual(['c1 open', 'c3 open'])
  })

  it('is shown if closing fails', async () => {
    close('c2')
    await leave()
    receive('c2', { read: true, priority: 'priority' })
    await rejectRequest('c2')
    expect(shown()).toEqual(ALL_OPEN)
    expect(client.getQueryData<ConversationList>(LIST)!.conversations[1]).toMatchObject({ priority: 'priority' })
  })

  it('counts when it is newer than the answer', async () => {
    close('c2')
    await leave()
    const [{ answer }] = requests.splice(0, 1) as [PendingRequest]
    receive('c2', { status: 'closed' })
    const closed = stored.get('c2')
    receive('c2', { status: 'open' })
    expect(shown()).toEqual(['c1 open', 'c3 open'])
    answer(Response.json({ data: closed }))
    await vi.advanceTimersByTimeAsync(0)
    expect(shown().sort()).toEqual(ALL_OPEN)
  })
})

it('shows a conversation in its old place if closing fails', async () => {
  close('c2')
  await leave()
  expect(shown()).toEqual(['c1 open', 'c3 open'])
  await rejectRequest('c2')
  expect(shown()).toEqual(ALL_OPEN)
  expect(titles()).toEqual(['Not yours.'])
})
