import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { BUCKETS, type Bucket } from '#contract/buckets.ts'
import type { Conversation } from '#contract/conversations.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { createWorld, startConversation, startVisitor, type World } from '#tests/support/world.ts'
import { wakeDueConversations } from './snoozing.ts'

let server: TestServer
let world: World
let open: TestSocket[] = []

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterEach(() => {
  for (const socket of open) socket.close()
  open = []
})
afterAll(() => server.close())

const HOUR = 3_600_000
const later = () => new Date(Date.now() + HOUR).toISOString()
const get = (path: string) => server.request('GET', path, { token: world.ada.token })
const change = (id: string, conversation: object) =>
  server.request('PUT', `/api/conversations/${id}`, { token: world.ada.token, body: { conversation } })
const read = async (id: string) => (await get(`/api/conversations/${id}`)).body.data as Conversation
const unread = async () => (await get('/api/conversations/unread')).body.data.conversations

async function start() {
  const visitor = await startVisitor(server, world.acme.id)
  const { conversation_id: id } = await startConversation(server, visitor)
  return { id, visitor }
}

async function bucketsOf(id: string): Promise<string[]> {
  const standing: string[] = []
  for (const bucket of Object.keys(BUCKETS) as Bucket[]) {
    const { body } = await get(`/api/conversations?${new URLSearchParams(BUCKETS[bucket].query as never)}`)
    if (body.data.some((one: Conversation) => one.id === id)) standing.push(bucket)
  }
  return standing
}

/** The clock of the snoozed ones moves on until every time has come. */
const letTimePass = () =>
  server.context.db
    .updateTable('conversations')
    .set({ snoozed_until: new Date(Date.now() - 1_000).toISOString() })
    .where('snoozed_until', 'is not', null)
    .where('inbox_id', '=', world.website.id)
    .execute()

test('a snoozed conversation stands in its own view, in no other, and in no counter', async () => {
  const { id } = await start()
  await change(id, { priority: 'priority' })
  const before = await unread()
  const { status, body } = await change(id, { snoozed: { until: later() } })
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ status: 'open', snoozed_at: expect.any(String), snoozed_until: expect.any(String) })
  expect(await bucketsOf(id)).toEqual(['snoozed'])
  const after = await unread()
  for (const counter of ['open', 'unread', 'unassigned', 'priority'])
    expect(after[counter], counter).toBe(before[counter] - 1)
})

test('clients that know nothing of snoozing still find everything, in order and counted', async () => {
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.push((await start()).id)
  await change(ids[1]!, { snoozed: { until: null } })
  await change(ids[3]!, { snoozed: { until: later() } })
  const { data, total } = (await get('/api/conversations?status=open')).body
  const listed = data.map((one: Conversation) => one.id)
  expect(listed.filter((id: string) => ids.includes(id))).toEqual(ids.toReversed())
  expect(total).toBe(listed.length)
  const paged: string[] = []
  for (let after: string | null = ''; after !== null; ) {
    const { body } = await get(`/api/conversations?status=open&limit=2${after && `&after=${after}`}`)
    paged.push(...body.data.map((one: Conversation) => one.id))
    after = body.next
  }
  expect(paged).toEqual(listed)
})

test('a moment that is over is refused, and so is snoozing what is closed', async () => {
  const { id } = await start()
  const past = await change(id, { snoozed: { until: new Date(Date.now() - 1_000).toISOString() } })
  expect(past.status).toBe(422)
  expect(past.body.error.errors).toEqual({ snoozed: ['must end in the future'] })
  expect((await change(id, { snoozed: {} })).status).toBe(422)
  await change(id, { status: 'closed' })
  expect((await change(id, { snoozed: { until: later() } })).status).toBe(422)
  expect((await read(id)).snoozed_at).toBeNull()
})

test('the customer’s answer wakes it, a reply of the team does not', async () => {
  const { id, visitor } = await start()
  await change(id, { snoozed: { until: null } })
  const post = (token: string) =>
    server.request('POST', '/api/messages', {
      token,
      body: { message: { conversation_id: id, body: 'x', id: randomUUID() } },
    })
  await post(world.ada.token)
  expect((await read(id)).snoozed_at).not.toBeNull()
  await post(visitor.token)
  expect(await read(id)).toMatchObject({ snoozed_at: null, snoozed_until: null, read: false })
  expect(await bucketsOf(id)).toContain('all')
})

test('closing wakes it, giving it to somebody does not', async () => {
  const { id } = await start()
  await change(id, { snoozed: { until: later() } })
  await change(id, { assignee_id: world.ben.id })
  expect((await read(id)).snoozed_at).not.toBeNull()
  await change(id, { status: 'closed' })
  expect(await read(id)).toMatchObject({ status: 'closed', snoozed_at: null, snoozed_until: null })
  const undone = await change(id, { status: 'open', snoozed: { until: later() } })
  expect(undone.body.data).toMatchObject({ status: 'open', snoozed_at: expect.any(String) })
})

test('it is woken by hand without becoming unread', async () => {
  const { id } = await start()
  await change(id, { read: true })
  await change(id, { snoozed: { until: later() } })
  await change(id, { snoozed: null })
  expect(await read(id)).toMatchObject({ snoozed_at: null, read: true })
})

test('at its time it wakes once, on top and unread, and the team is told of it', async () => {
  const { id } = await start()
  await start()
  const waiting = await start()
  await change(waiting.id, { snoozed: { until: null } })
  await change(id, { read: true, snoozed: { until: later() } })
  const socket = new TestSocket(server.url, { token: world.ben.token })
  open.push(socket)
  const team = await socket.join(`notification:${world.acme.id}`)

  expect(await server.context.change(wakeDueConversations)).toBe(0)
  await letTimePass()
  // Or the server's own clock strikes first, and there is nothing left to wake.
  await server.context.change(wakeDueConversations)
  const received = await team.receive('conversation:updated', (payload) => payload.id === id)
  expect(received.updates).toMatchObject({ snoozed_at: null, snoozed_until: null, read: false })
  const [first] = (await get('/api/conversations?status=open&snoozed=false')).body.data
  expect(first).toMatchObject({ id, read: false })
  expect(await server.context.change(wakeDueConversations)).toBe(0)
  expect((await read(waiting.id)).snoozed_at).not.toBeNull()
})

test('the customer does not learn that the team put them aside', async () => {
  const { id, visitor } = await start()
  await change(id, { snoozed: { until: later() } })
  const query = `customer_id=${visitor.customer_id}&account_id=${world.acme.id}`
  const { body } = await server.request('GET', `/api/conversations/customer?${query}`, { token: visitor.token })
  expect(body.data[0]).toMatchObject({ id, snoozed_at: null, snoozed_until: null })
})
