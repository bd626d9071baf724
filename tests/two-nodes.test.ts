import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweepTeams } from '#server/features/conversations/assignments/sweeping.ts'
import { sendAllDue } from '#server/features/conversations/scheduled-messages/sending.ts'
import { type RedisServer, startRedis } from './support/redis-server.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { TestSocket } from './support/sockets.ts'
import { createWorld, startConversation, startVisitor, type World } from './support/world.ts'

let redis: RedisServer
let first: TestServer
let second: TestServer
let world: World
const open: TestSocket[] = []

beforeAll(async () => {
  redis = await startRedis()
  first = await startTestServer({ REDIS_URL: redis.url })
  second = await startTestServer({ REDIS_URL: redis.url }, undefined, first.database)
  world = await createWorld(first)
})
afterAll(async () => {
  for (const socket of open) socket.close()
  await second.close()
  await first.close()
  await redis.stop()
})

function connect(server: TestServer, params: Record<string, string>) {
  const socket = new TestSocket(server.url, params)
  open.push(socket)
  return socket
}

test('a visitor on one server and an agent on the other write to and see each other', async () => {
  const { conversation_id } = await startConversation(first, world.carla)
  const { customer_id } = world.carla
  const agent = await connect(second, { token: world.ada.token }).join(`notification:${world.acme.id}`)
  const carla = await connect(first, { visitor_token: world.carla.token }).join(`conversation:${conversation_id}`, {
    customer_id,
  })
  await agent.receive('presence_diff', (diff) => diff.joins[`customer:${customer_id}`])
  await carla.push('shout', { body: 'from the first' })
  await agent.receive('shout', (message) => message.body === 'from the first')
  await second.request('POST', '/api/messages', {
    token: world.ada.token,
    body: { message: { conversation_id, body: 'from the second' } },
  })
  await carla.receive('shout', (message) => message.body === 'from the second')
})

test('what one server has broadcast to all is not broadcast again by the other, which finds it in the log', async () => {
  const { conversation_id } = await startConversation(first, world.carla)
  const agent = await connect(second, { token: world.ada.token }).join(`notification:${world.acme.id}`)
  const message = { conversation_id, body: 'only once' }
  await first.request('POST', '/api/messages', { token: world.carla.token, body: { message } })
  await agent.receive('shout', ({ body }) => body === 'only once')
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(agent.received.filter(({ payload }) => payload.body === 'only once')).toHaveLength(1)
})

test('clients that lose access to a conversation are removed from it on every server', async () => {
  const created = await first.request('POST', '/api/customers', { body: { customer: { account_id: world.acme.id } } })
  const conversation = { account_id: world.acme.id, customer_id: created.body.data.id }
  const opened = await first.request('POST', '/api/conversations', { body: { conversation } })
  const { channel } = await connect(second, {}).join(`conversation:${opened.body.data.id}`)
  const closed = new Promise<void>((resolve) => void channel.onClose(() => resolve()))
  await first.request('POST', `/api/customers/${world.carla.customer_id}/merge`, {
    token: world.ada.token,
    body: { customer_id: conversation.customer_id },
  })
  await closed
})

test('colleagues on another server see who views a conversation, until they close it', async () => {
  const { conversation_id } = await startConversation(first, world.carla)
  const ben = await connect(first, { token: world.ben.token }).join(`notification:${world.acme.id}`)
  const ada = await connect(second, { token: world.ada.token }).join(`notification:${world.acme.id}`)
  const isBens = (metas: { viewing?: string }[] = []) => metas.some(({ viewing }) => viewing === conversation_id)
  const key = `user:${world.ben.id}`
  await ben.push('viewing', { conversation_id })
  await ada.receive('presence_diff', ({ joins }) => isBens(joins[key]?.metas))
  await ben.push('viewing', { conversation_id: null })
  await ada.receive('presence_diff', ({ leaves }) => isBens(leaves[key]?.metas))
})

test('a watcher on one server sees what a recorder sends to the other, which stops when nobody watches', async () => {
  const account_id = world.acme.id
  const begun = await first.request('POST', '/api/browser_sessions', { body: { browser_session: { account_id } } })
  const { id } = begun.body.data
  const key = `session:${id}`
  const recorder = await connect(first, {}).join(`events:${account_id}:${id}`)
  const list = await connect(second, { token: world.ada.token }).join(`events:admin:${account_id}:all`)
  await list.receive('presence_state', (state) => state[key]?.metas[0].session_id === id)
  const socket = connect(second, { token: world.ada.token })
  const watcher = await socket.join(`events:admin:${account_id}:${id}`)
  await recorder.receive('presence_diff', ({ joins }) => joins[key]?.metas[0].admin === true)
  await recorder.push('replay:events', { events: [{ type: 2, timestamp: 1, data: {} }] })
  expect((await watcher.receive('replay:events')).events).toHaveLength(1)
  socket.close()
  await recorder.receive('presence_diff', ({ leaves }) => leaves[key]?.metas[0].admin === true)
})

test('signing out on one server closes the sockets on the other', async () => {
  const { email } = world.ben
  const user = { email, password: 'correct horse battery' }
  const { body } = await first.request('POST', '/api/session', { body: { user } })
  const { socket } = connect(second, { token: body.data.token })
  await new Promise<void>((resolve) => void socket.onOpen(() => resolve()))
  const closed = new Promise((resolve) => socket.onClose(resolve))
  await first.request('DELETE', '/api/session', { token: body.data.token })
  await closed
})

test('rate limits are shared', async () => {
  const limit = { capacity: 3, perSecond: 0.01 }
  const taken = []
  for (const { context } of [first, second, first, second])
    taken.push((await context.limits.take('shared', limit)).allowed)
  expect(taken).toEqual([true, true, true, false])
})

test('two servers that hand out conversations at once give nobody more than their limit, and nothing twice', async () => {
  const { token } = world.ada
  // What she answered in the tests before counts, too.
  const held = await first.request('GET', '/api/conversations?assignee_id=me&status=open', { token })
  const ids_held = held.body.data.map(({ id }: { id: string }) => id)
  await first.request('POST', '/api/conversations/bulk', {
    token,
    body: { ids: ids_held, changes: { status: 'closed' } },
  })
  const members = [
    { user_id: world.ada.id, open_limit: 3 },
    { user_id: world.ben.id, open_limit: 4 },
  ]
  const inbox = await first.request('POST', '/api/inboxes', {
    token: world.ada.token,
    body: { inbox: { name: 'Two' } },
  })
  const inbox_id: string = inbox.body.data.id
  const team = { name: 'Both', assignment: 'least_open', members, inbox_ids: [inbox_id] }
  await first.request('POST', '/api/teams', { token, body: { team } })
  const people = [
    await connect(first, { token: world.ada.token }).join(`notification:${world.acme.id}`),
    await connect(second, { token: world.ben.token }).join(`notification:${world.acme.id}`),
  ]
  for (const person of people) await person.push('present', {})
  const servers = Array.from({ length: 12 }, (_, i) => (i % 2 ? first : second))
  const write = async (server: TestServer) =>
    (await startConversation(server, await startVisitor(server, world.acme.id), 'Hello?', inbox_id)).conversation_id
  const [ids] = await Promise.all([
    Promise.all(servers.map(write)),
    ...servers.map(({ context }) => sweepTeams(context)),
  ])
  const countHeld = async () => {
    const { body } = await first.request('GET', `/api/conversations?inbox_id=${inbox_id}`, { token: world.ada.token })
    const holders = Map.groupBy(body.data as { assignee_id: number | null }[], ({ assignee_id }) => assignee_id)
    return [world.ada.id, world.ben.id].map((id) => holders.get(id)?.length ?? 0)
  }
  await expect.poll(countHeld).toEqual([3, 4])
  await Promise.all(servers.map(({ context }) => sweepTeams(context)))
  expect(await countHeld()).toEqual([3, 4])
  const entries = await Promise.all(
    ids.map((id) => first.request('GET', `/api/conversations/${id}/assignments`, { token: world.ada.token })),
  )
  expect(Math.max(...entries.map(({ body }) => body.data.length))).toBe(1)
})

test('without Redis readiness reports it, and sockets of one server keep working', async () => {
  await redis.kill()
  await expect.poll(async () => (await first.request('GET', '/ready')).body.bus.ok, { timeout: 15_000 }).toBe(false)
  expect((await first.request('GET', '/ready')).status).toBe(503)
  const agent = await connect(first, { token: world.ada.token }).join(`notification:${world.acme.id}`)
  await startConversation(first, world.carla, 'still here')
  await agent.receive('shout', (message) => message.body === 'still here')
  await redis.start()
  await expect.poll(async () => (await first.request('GET', '/ready')).status, { timeout: 15_000 }).toBe(200)
})

test('what several servers find due at the same moment is sent once, and what one of them takes back is not', async () => {
  const { db } = first.context
  const who = { token: world.ada.token }
  const { conversation_id } = await startConversation(first, world.carla)
  const ids: string[] = []
  for (let i = 0; i < 20; i++) {
    const scheduled_message = { conversation_id, body: `Scheduled ${i}`, send_at: new Date(Date.now() + 3_600_000) }
    const { body } = await first.request('POST', '/api/scheduled_messages', { ...who, body: { scheduled_message } })
    ids.push(body.data.id)
  }
  await db
    .updateTable('scheduled_messages')
    .set({ send_at: new Date(Date.now() - 1_000).toISOString() })
    .where('id', 'in', ids)
    .execute()
  const [cancelled] = await Promise.all([
    second.request('DELETE', `/api/scheduled_messages/${ids[19]}`, who),
    sendAllDue(first.context),
    sendAllDue(second.context),
    sendAllDue(first.context),
  ])
  // Others may still hold the lock of one that they are sending.
  await sendAllDue(first.context)
  const sent = await db.selectFrom('messages').select('id').where('id', 'in', ids).execute()
  const isTakenBack = cancelled.status === 200
  expect(sent.map(({ id }) => id).sort()).toEqual(ids.slice(0, isTakenBack ? 19 : 20).sort())
  const { body } = await first.request('GET', `/api/messages?conversation_id=${conversation_id}`, who)
  expect(body.data).toHaveLength(sent.length + 1)
  expect(await db.selectFrom('scheduled_messages').select('id').where('id', 'in', ids).execute()).toEqual([])
})
