import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BUCKETS, type Bucket, isInBucket } from '#contract/buckets.ts'
import type { Conversation } from '#contract/conversations.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, startConversation, startVisitor, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const get = (path: string, token = world.ada.token) => server.request('GET', path, { token })
const change = (id: string, conversation: object, token = world.ada.token) =>
  server.request('PUT', `/api/conversations/${id}`, { token, body: { conversation } })

test('every bucket lists what its filter says, and the same query counts them', async () => {
  const ids = []
  for (let i = 0; i < 8; i++)
    ids.push((await startConversation(server, await startVisitor(server, world.acme.id), `${i}`)).conversation_id)
  await change(ids[0]!, { status: 'closed' })
  await change(ids[1]!, { assignee_id: world.ada.id })
  await change(ids[2]!, { assignee_id: world.ben.id, priority: 'priority' })
  await change(ids[3]!, { read: true })
  await change(ids[6]!, { snoozed: { until: null } })
  await server.request('POST', `/api/conversations/${ids[4]}/archive`, { token: world.ada.token })
  await server.request('POST', '/api/messages', {
    token: world.ben.token,
    body: { message: { conversation_id: ids[5], body: '@ada', type: 'note', mentioned_user_ids: [world.ada.id] } },
  })
  const everything: Conversation[] = []
  for (const status of ['open', 'closed'])
    everything.push(...(await get(`/api/conversations?status=${status}`)).body.data)

  for (const bucket of Object.keys(BUCKETS) as Bucket[]) {
    const query = new URLSearchParams(BUCKETS[bucket].query as never).toString()
    const listed = (await get(`/api/conversations?${query}`)).body
    const expected = everything.filter((one) => isInBucket(bucket, one, world.ada.id)).map((one) => one.id)
    expect(new Set(listed.data.map((one: Conversation) => one.id)), bucket).toEqual(new Set(expected))
    expect(expected.length, bucket).toBeGreaterThan(0)
    expect((await get(`/api/conversations/count?${query}`)).body.data.count, bucket).toBe(expected.length)
  }
})

test('unassigned conversations are asked for with an empty, a null or a bare assignee_id', async () => {
  await startConversation(server, world.carla)
  const spellings = await Promise.all(
    ['assignee_id', 'assignee_id=', 'assignee_id=null'].map((text) => get(`/api/conversations?${text}`)),
  )
  const found = spellings.map(({ body }) => body.data.map((one: Conversation) => one.id))
  expect(found[0].length).toBeGreaterThan(0)
  expect(found[1]).toEqual(found[0])
  expect(found[2]).toEqual(found[0])
})

test('a filter that is not set may come empty or as null, but an empty id is a mistake', async () => {
  const all = (await get('/api/conversations')).body.total
  for (const text of ['status=', 'read', 'q', 'after', 'inbox_id', 'priority=&limit=']) {
    expect((await get(`/api/conversations?${text}`)).body.total, text).toBe(all)
  }
  for (const text of ['inbox_id=', 'customer_id=abc']) {
    expect((await get(`/api/conversations?${text}`)).status, text).toBe(400)
  }
})

test('an id may be written in capitals, in path, query and body', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const share = await server.request('POST', `/api/conversations/${conversation_id.toUpperCase()}/share`, {
    token: world.ada.token,
  })
  const query = `conversation_id=${conversation_id.toUpperCase()}&token=${share.body.data.token}`
  expect((await server.request('GET', `/api/conversations/shared?${query}`)).body.data.id).toBe(conversation_id)
  const own = `customer_id=${world.carla.customer_id.toUpperCase()}&account_id=${world.acme.id.toUpperCase()}`
  const { data } = (await get(`/api/conversations/customer?${own}`, world.carla.token)).body
  expect(data[0].id).toBe(conversation_id)
})

test('pages follow each other by cursor without gap or double, latest activity first', async () => {
  for (let i = 0; i < 7; i++) await startConversation(server, world.carla, `page ${i}`)
  const seen: string[] = []
  let after: string | null = ''
  while (after !== null) {
    const { body } = await get(`/api/conversations?limit=3${after && `&after=${after}`}`)
    seen.push(...body.data.map((one: Conversation) => one.id))
    after = body.next
  }
  const all = (await get('/api/conversations')).body
  expect(seen).toEqual(all.data.map((one: Conversation) => one.id))
  expect(new Set(seen).size).toBe(all.total)
  const times = all.data.map((one: Conversation) => one.last_activity_at)
  expect(times).toEqual([...times].sort().reverse())
})

test('a list carries the newest 50 messages of each conversation, one by id all, and either only the last when asked', async () => {
  const { conversation_id } = await startConversation(server, world.carla, 'first')
  for (let i = 0; i < 54; i++) {
    await server.request('POST', '/api/messages', {
      token: world.carla.token,
      body: { message: { conversation_id, body: `n${i}` } },
    })
  }
  const find = async (query: string) =>
    (await get(`/api/conversations?${query}`)).body.data.find((one: Conversation) => one.id === conversation_id)
  expect((await find('')).messages.map((one: { number: number }) => one.number)).toEqual(
    Array.from({ length: 50 }, (_, i) => i + 6),
  )
  expect((await find('messages=last')).messages.map((one: { body: string }) => one.body)).toEqual(['n53'])
  const alone = async (query: string) =>
    (await get(`/api/conversations/${conversation_id}?${query}`)).body.data.messages
  expect((await alone('')).map((one: { number: number }) => one.number)).toEqual(
    Array.from({ length: 55 }, (_, i) => i + 1),
  )
  expect((await alone('messages=last')).map((one: { body: string }) => one.body)).toEqual(['n53'])
  const older = (await get(`/api/messages?conversation_id=${conversation_id}&before=6`)).body
  expect(older.data.map((one: { number: number }) => one.number)).toEqual([5, 4, 3, 2, 1])
  expect(older.next).toBe(null)
})

test('q finds text inside messages, percent signs included', async () => {
  const { conversation_id } = await startConversation(server, world.carla, 'A discount of 50% please')
  const ids = async (q: string) =>
    (await get(`/api/conversations?q=${encodeURIComponent(q)}`)).body.data.map((one: Conversation) => one.id)
  expect(await ids('DISCOUNT of 50%')).toEqual([conversation_id])
  expect(await ids('discount%please')).toEqual([])
})

test('a form takes a conversation away from everybody with an empty text', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  expect((await change(conversation_id, { assignee_id: world.ben.id })).body.data.assignee_id).toBe(world.ben.id)
  const { body } = await server.request('PATCH', `/api/conversations/${conversation_id}`, {
    token: world.ada.token,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'conversation[assignee_id]=&conversation[priority]=priority',
  })
  expect(body.data).toMatchObject({ assignee_id: null, priority: 'priority' })
})

test('what an integration keeps with a conversation is replaced as a whole, and stays when it is not mentioned', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const metadata = async (changes: object) => (await change(conversation_id, changes)).body.data.metadata
  expect(await metadata({ metadata: { order: 7, shop: 'a' } })).toEqual({ order: 7, shop: 'a' })
  expect(await metadata({ priority: 'priority' })).toEqual({ order: 7, shop: 'a' })
  expect(await metadata({ metadata: { order: 8 } })).toEqual({ order: 8 })
  expect(await metadata({ metadata: null })).toBeNull()
})

test('an assignee or inbox of another account is refused', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const assignee = await change(conversation_id, { assignee_id: world.olga.id })
  expect(assignee.body.error.errors).toEqual({ assignee_id: ['does not exist'] })
  const foreign = (await get('/api/inboxes/primary', world.olga.token)).body.data.id
  expect((await change(conversation_id, { inbox_id: foreign })).body.error.errors).toEqual({
    inbox_id: ['does not exist'],
  })
})

test('a conversation of another account is not found', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const answer = await get(`/api/conversations/${conversation_id}`, world.olga.token)
  expect(answer).toMatchObject({ status: 404, body: { error: { status: 404, message: 'Not found' } } })
  expect((await change(conversation_id, { status: 'closed' }, world.olga.token)).status).toBe(404)
})

test('deleting archives: gone from lists, still there by id', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const answer = await server.request('DELETE', `/api/conversations/${conversation_id}`, { token: world.ada.token })
  expect(answer.status).toBe(204)
  const listed = (await get('/api/conversations?status=open')).body.data.map((one: Conversation) => one.id)
  expect(listed).not.toContain(conversation_id)
  expect((await get(`/api/conversations/${conversation_id}`)).body.data.archived_at).toEqual(expect.any(String))
})

test('starting with the same id again answers with the same conversation', async () => {
  const conversation = { id: randomUUID() }
  const start = () => server.request('POST', '/api/conversations', { token: world.carla.token, body: { conversation } })
  const answers = await Promise.all([start(), start(), start()])
  expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201])
  expect(new Set(answers.map((answer) => answer.body.data.id))).toEqual(new Set([conversation.id]))
})

test('a user starts a conversation with its first message', async () => {
  const started = await server.request('POST', '/api/conversations', {
    token: world.ada.token,
    body: { conversation: { customer_id: world.carla.customer_id, message: { body: 'May I help?' } } },
  })
  expect(started.headers.location).toBe(`/api/conversations/${started.body.data.id}`)
  const { messages } = (await get(`/api/conversations/${started.body.data.id}`)).body.data
  expect(messages).toMatchObject([{ body: 'May I help?', user_id: world.ada.id }])
})

test('a user also says whose a new conversation is and how it stands, and a null says nothing', async () => {
  const start = async (conversation: object, token?: string) =>
    (await server.request('POST', '/api/conversations', { token, body: { conversation } })).body
  const { customer_id } = world.carla
  const wanted = { priority: 'priority', assignee_id: String(world.ben.id), status: 'closed' }
  const { data } = await start({ customer_id, id: null, source: null, ...wanted }, world.ada.token)
  expect(data).toMatchObject({ source: 'chat', ...wanted, assignee_id: world.ben.id, closed_at: expect.any(String) })
  const foreign = await start({ customer_id, assignee_id: world.olga.id }, world.ada.token)
  expect(foreign.error.errors).toEqual({ assignee_id: ['does not exist'] })
  const byCustomer = await start(wanted, world.carla.token)
  expect(byCustomer.data).toMatchObject({ status: 'open', priority: 'not_priority', assignee_id: null })
})

test('a conversation for a customer who is not there is refused by field', async () => {
  for (const customer_id of [randomUUID(), world.carla.customer_id]) {
    const { status, body } = await server.request('POST', '/api/conversations', {
      body: { conversation: { account_id: world.acme.id, customer_id } },
    })
    expect([status, body.error.errors]).toEqual([422, { customer_id: ['does not exist'] }])
  }
})

test('a published client that knows only ids reads the chat with its customer beside it', async () => {
  const { body } = await server.request('POST', '/api/customers', {
    body: { customer: { account_id: world.acme.id, name: 'Flo', email: 'flo@customer.test', external_id: 'flo-1' } },
  })
  const customer_id = body.data.id
  await server.request('POST', '/api/conversations', {
    body: { conversation: { account_id: world.acme.id, customer_id } },
  })
  const path = `/api/conversations/customer?account_id=${world.acme.id}`
  const { data } = (await server.request('GET', `${path}&customer_id=${customer_id}`)).body
  expect(data).toMatchObject([
    { customer: { id: customer_id, name: 'Flo', external_id: 'flo-1', first_seen: expect.any(String) } },
  ])
  expect(JSON.stringify(data), 'an id opens the chat, not an address book').not.toContain('flo@')
  const missing = await server.request('GET', path)
  expect([missing.status, missing.body.error.message]).toEqual([
    400,
    'The following parameters are required: customer_id',
  ])
})

test('what opens a conversation is no reply: it is unread and nobody’s until somebody answers the customer', async () => {
  const visitor = await startVisitor(server, world.acme.id)
  const conversation = { customer_id: visitor.customer_id, message: { body: 'May I help?' } }
  const started = await server.request('POST', '/api/conversations', { token: world.ada.token, body: { conversation } })
  const untouched = { read: false, assignee_id: null, first_replied_at: null, last_number: 1 }
  expect(started.body.data).toMatchObject(untouched)
  const { id: conversation_id } = started.body.data
  const say = (token: string, body: string) =>
    server.request('POST', '/api/messages', { token, body: { message: { conversation_id, body } } })
  await say(visitor.token, 'Yes, please')
  await say(world.ben.token, 'With what?')
  const { data } = (await get(`/api/conversations/${conversation_id}`)).body
  expect(data).toMatchObject({ read: true, assignee_id: world.ben.id, first_replied_at: expect.any(String) })
})

test('the customer sees only open chats, newest first, at most three, without private notes or agents’ addresses', async () => {
  const visitor = await startVisitor(server, world.acme.id)
  const ids = []
  for (let i = 0; i < 5; i++) ids.push((await startConversation(server, visitor, `${i}`)).conversation_id)
  await change(ids[4]!, { status: 'closed' })
  for (const [body, type] of [
    ['secret', 'note'],
    ['hello', 'reply'],
  ]) {
    await server.request('POST', '/api/messages', {
      token: world.ada.token,
      body: { message: { conversation_id: ids[3], body, type } },
    })
  }
  const query = `customer_id=${visitor.customer_id}&account_id=${world.acme.id}&inbox_id=undefined`
  const { data } = (await get(`/api/conversations/customer?${query}`, visitor.token)).body
  expect(data.map((one: Conversation) => one.id)).toEqual([ids[3], ids[2], ids[1]])
  expect(data[0].messages.map((one: { body: string }) => one.body)).toEqual(['3', 'hello'])
  expect(JSON.stringify(data)).not.toContain('acme.test')
})
