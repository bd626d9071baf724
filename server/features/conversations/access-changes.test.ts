import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { type JoinedTopic, TestSocket } from '#tests/support/sockets.ts'
import { createWorld, startConversation, startVisitor, type World } from '#tests/support/world.ts'

/** Sockets that were let in, before what let them in changed. */
let server: TestServer
let world: World
let secret: string
let open: TestSocket[] = []

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
  for (const { id } of [world.website, world.billing]) {
    const made = await asAda('POST', `/api/inboxes/${id}/identity_secrets`, {})
    if (id === world.website.id) secret = made.data.secret
  }
})
afterEach(async () => {
  for (const socket of open) socket.close()
  open = []
  for (const { id } of [world.website, world.billing]) await demand(false, id)
  await trust(false)
})
afterAll(() => server.close())

async function asAda(method: string, path: string, body?: object, at = server) {
  const answer = await at.request(method, path, { token: world.ada.token, body })
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body
}
const demand = (is_required: boolean, inbox_id = world.website.id) =>
  asAda('PUT', `/api/inboxes/${inbox_id}/signed_identity`, { signed_identity: { is_required } })

/** A client of old on its conversation and in its lobby: no token, only ids. */
async function listenById(customer: object = {}) {
  const created = await server.request('POST', '/api/customers', {
    body: { customer: { account_id: world.acme.id, ...customer } },
  })
  const customer_id: string = created.body.data.id
  const started = await server.request('POST', '/api/conversations', {
    body: { conversation: { account_id: world.acme.id, customer_id } },
  })
  const conversation_id: string = started.body.data.id
  const conversation = await listen({}, `conversation:${conversation_id}`)
  const lobby = await listen({}, `conversation:lobby:${customer_id}`)
  return { customer_id, conversation_id, conversation, lobby }
}

/** The same as a customer whom the team added, which unsigned ids find only where the account trusts them. */
async function listenAsKnown(external_id: string) {
  await trust(true)
  await asAda('POST', '/api/customers', { customer: { external_id } })
  return listenById({ external_id })
}
const trust = (trust_unsigned_ids: boolean) =>
  asAda('PUT', '/api/accounts/me', { account: { settings: { trust_unsigned_ids } } })

async function listen(params: Record<string, string>, topic: string) {
  const socket = new TestSocket(server.url, params)
  open.push(socket)
  const joined = await socket.join(topic)
  const stay = { ...joined, received: joined.received, isOver: false, isCut: false }
  joined.channel.onClose(() => {
    stay.isOver = true
  })
  socket.socket.onClose(() => {
    stay.isCut = true
  })
  return stay
}

const post = (conversation_id: string, body: string) =>
  asAda('POST', '/api/messages', { message: { conversation_id, body } })
const bodies = ({ received }: Pick<JoinedTopic, 'received'>) =>
  received.filter(({ event }) => event === 'shout').map(({ payload }) => payload.body)

async function isEndedFor({ conversation, lobby, conversation_id }: Awaited<ReturnType<typeof listenById>>) {
  await expect.poll(() => conversation.isOver && lobby.isOver).toBe(true)
  await post(conversation_id, 'not for strangers')
  await sleep(100)
  expect(bodies(conversation)).not.toContain('not for strangers')
}

function sign(claims: object): string {
  const write = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const said = `${write({ alg: 'HS256', typ: 'JWT' })}.${write({ exp: Math.floor(Date.now() / 1000) + 300, ...claims })}`
  return `${said}.${createHmac('sha256', secret).update(said).digest('base64url')}`
}

test('who is there by the id of a named customer has to go when the inbox begins to demand signed identity', async () => {
  const named = await listenById({ name: 'Nora' })
  const anonymous = await listenById()
  await demand(true)
  await isEndedFor(named)
  await post(anonymous.conversation_id, 'still for you')
  await expect.poll(() => bodies(anonymous.conversation)).toContain('still for you')
  expect(anonymous.lobby.isOver).toBe(false)
})

test('who is there by an id has to go when its customer gets a name where that must be proven', async () => {
  const nora = await listenById()
  await demand(true)
  await asAda('PUT', `/api/customers/${nora.customer_id}`, { customer: { name: 'Nora' } })
  await isEndedFor(nora)
})

test('a conversation moved to an inbox that demands signed identity is closed to who is there by an id', async () => {
  await demand(true, world.billing.id)
  const { customer_id, conversation_id, conversation } = await listenById()
  expect(conversation.isOver).toBe(false)
  // Named by a statement of its own, so that nothing but the move is announced.
  await server.context.db.updateTable('customers').set({ name: 'Nora' }).where('id', '=', customer_id).execute()
  await asAda('PUT', `/api/conversations/${conversation_id}`, { conversation: { inbox_id: world.billing.id } })
  await expect.poll(() => conversation.isOver).toBe(true)
})

test('so is one whose inbox is deleted, when it goes to an inbox that demands signed identity', async () => {
  await demand(true, world.billing.id)
  const { data: inbox } = await asAda('POST', '/api/inboxes', { inbox: { name: 'For a while' } })
  const { customer_id, conversation_id, conversation } = await listenById()
  await server.context.db
    .updateTable('conversations')
    .set({ inbox_id: inbox.id })
    .where('id', '=', conversation_id)
    .execute()
  await server.context.db.updateTable('customers').set({ name: 'Nora' }).where('id', '=', customer_id).execute()
  await server.request('DELETE', `/api/inboxes/${inbox.id}?move_to=${world.billing.id}`, { token: world.ada.token })
  await expect.poll(() => conversation.isOver).toBe(true)
})

test('who is there by an id has to go when the customer signs in with a proof', async () => {
  const external_id = randomUUID()
  const nora = await listenAsKnown(external_id)
  const token = randomBytes(32).toString('base64url')
  const visitor_session = {
    account_id: world.acme.id,
    token,
    customer_id: randomUUID(),
    identity_token: sign({ sub: external_id }),
  }
  const { body } = await server.request('POST', '/api/visitor_sessions', { body: { visitor_session } })
  expect(body.data.customer_id).toBe(nora.customer_id)
  await isEndedFor(nora)
})

test('who is there by an id has to go when a browser starts a session as its customer', async () => {
  const external_id = randomUUID()
  const nora = await listenAsKnown(external_id)
  const browser = await startVisitor(server, world.acme.id, { external_id })
  const mine = await server.request('GET', '/api/visitor_sessions', { token: browser.token })
  expect(mine.body.data.id).toBe(nora.customer_id)
  await isEndedFor(nora)
})

test('who is there by the id of a customer whom the team added has to go when unsigned ids are trusted no longer', async () => {
  const nora = await listenAsKnown(randomUUID())
  await post(nora.conversation_id, 'for you')
  await expect.poll(() => bodies(nora.conversation)).toContain('for you')
  await trust(false)
  await isEndedFor(nora)
})

test('who is there by an id has to go when its customer becomes part of one who holds a session', async () => {
  const nora = await listenById()
  await asAda('POST', `/api/customers/${world.carla.customer_id}/merge`, { customer_id: nora.customer_id })
  await isEndedFor(nora)
})

test('who is there by an id stays through a merge with another of the kind, and has to go when that one is claimed', async () => {
  const external_id = randomUUID()
  const survivor = await listenAsKnown(external_id)
  const nora = await listenById()
  await asAda('POST', `/api/customers/${survivor.customer_id}/merge`, { customer_id: nora.customer_id })
  await post(nora.conversation_id, 'still for you')
  await expect.poll(() => bodies(nora.conversation)).toContain('still for you')
  const token = randomBytes(32).toString('base64url')
  const visitor_session = {
    account_id: world.acme.id,
    token,
    customer_id: randomUUID(),
    identity_token: sign({ sub: external_id }),
  }
  await server.request('POST', '/api/visitor_sessions', { body: { visitor_session } })
  await expect.poll(() => nora.conversation.isOver && survivor.conversation.isOver).toBe(true)
})

test('a change of rights reaches sockets of a server that learns of it by the log alone', async () => {
  const visitor = await startVisitor(server, world.acme.id)
  const { conversation_id } = await startConversation(server, visitor)
  const mine = await listen({ visitor_token: visitor.token }, `conversation:${conversation_id}`)
  const nora = await listenById()
  const elsewhere = await startTestServer({}, undefined, server.database)
  for (const { customer_id } of [visitor, nora])
    await asAda('POST', `/api/customers/${world.carla.customer_id}/merge`, { customer_id }, elsewhere)
  // The browser comes back as who it is now; whoever knows an id alone does not.
  await expect.poll(() => mine.isCut).toBe(true)
  await isEndedFor(nora)
  await elsewhere.close()
})
