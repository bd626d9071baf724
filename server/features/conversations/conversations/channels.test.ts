import { randomUUID } from 'node:crypto'
import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { post, test } from '#tests/support/channels.ts'
import { expect } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

test('a visitor’s shout is echoed with id, created_at and floored sent_at, and reaches the team', async ({
  world,
  startLegacyVisitor,
  joinTeam,
  connect,
}) => {
  const { customer_id, conversation_id } = await startLegacyVisitor()
  const team = await joinTeam()
  const visitor = await connect({ account_id: world.acme.id, inbox_id: 'undefined' }).join(
    `conversation:${conversation_id}`,
    { customer_id },
  )
  visitor.channel.push('shout', { body: 'Hi!', customer_id, sent_at: '2026-01-01T00:00:00.900Z' })
  const echo = await visitor.receive('shout')
  expect(echo).toMatchObject({
    body: 'Hi!',
    sent_at: '2026-01-01T00:00:00Z',
    type: 'reply',
    user: null,
    attachments: [],
  })
  expect(echo.id).toEqual(expect.any(String))
  expect(echo.created_at).toEqual(expect.any(String))
  expect((await team.receive('shout', (message) => message.id === echo.id)).customer_id).toBe(customer_id)
})

test('a shout that is pushed right after the join is not lost', async ({ as, startLegacyVisitor, connect }) => {
  const { customer_id, conversation_id } = await startLegacyVisitor()
  const { socket } = connect()
  const channel = socket.channel(`conversation:${conversation_id}`, { customer_id })
  channel.join()
  channel.push('shout', { body: 'at once', customer_id })
  await expect
    .poll(async () => (await as.ada(conversations.get, { params: { id: conversation_id } })).data.messages)
    .toMatchObject([{ body: 'at once' }])
})

test('an agent’s message over HTTP reaches the visitor with its author', async ({
  as,
  world,
  startLegacyVisitor,
  connect,
}) => {
  const { customer_id, conversation_id } = await startLegacyVisitor()
  const visitor = await connect().join(`conversation:${conversation_id}`, { customer_id })
  await post(as.ada, { conversation_id, body: 'Hello from Acme' })
  const received = await visitor.receive('shout')
  expect(received).toMatchObject({ user_id: world.ada.id, user: { id: world.ada.id, email: 'ada' } })
})

test('a private note never reaches the visitor, in any frame', async ({
  as,
  startLegacyVisitor,
  connect,
  joinTeam,
}) => {
  const { customer_id, conversation_id } = await startLegacyVisitor()
  const socket = connect()
  const visitor = await socket.join(`conversation:${conversation_id}`, { customer_id })
  const team = await joinTeam()
  await post(as.ada, { conversation_id, body: 'this-is-secret', type: 'note', private: true })
  await team.push('shout', { conversation_id, body: 'also-secret', private: true })
  await post(as.ada, { conversation_id, body: 'public' })
  await visitor.receive('shout', (message) => message.body === 'public')
  expect(socket.frames.join()).not.toContain('secret')
})

test('a shout cannot impersonate the team, whatever fields it carries', async ({
  world,
  startLegacyVisitor,
  connect,
}) => {
  const { customer_id, conversation_id } = await startLegacyVisitor()
  const visitor = await connect().join(`conversation:${conversation_id}`, { customer_id })
  await visitor.push('shout', {
    body: 'I am Ada',
    customer_id: null,
    user_id: world.ada.id,
    type: 'note',
    private: true,
    source: 'slack',
    seen_at: '2026-01-01T00:00:00Z',
  })
  expect(await visitor.receive('shout')).toMatchObject({
    customer_id,
    user_id: null,
    type: 'reply',
    private: false,
    source: 'chat',
    seen_at: null,
  })
})

test('an invalid shout is answered with an error and stores nothing', async ({ startLegacyVisitor, connect }) => {
  const { customer_id, conversation_id } = await startLegacyVisitor()
  const visitor = await connect().join(`conversation:${conversation_id}`, { customer_id })
  await expect(visitor.push('shout', { body: '' })).rejects.toThrow('blank')
  await expect(visitor.push('shout', { body: { deep: [] } })).rejects.toThrow('is invalid')
})

test('a repeated shout with the same id is stored once', async ({ startLegacyVisitor, connect }) => {
  const { customer_id, conversation_id } = await startLegacyVisitor()
  const visitor = await connect().join(`conversation:${conversation_id}`, { customer_id })
  const id = randomUUID()
  const replies = await Promise.all([1, 2, 3].map(() => visitor.push('shout', { id, body: 'once' })))
  expect(replies.map(({ number }) => number)).toEqual([1, 1, 1])
})

test('only the team of an account joins its notifications', async ({ world, connect }) => {
  const topic = `notification:${world.acme.id}`
  for (const params of [{}, { token: world.olga.token }, { visitor_token: world.carla.token }]) {
    await expect(connect(params as Record<string, string>).join(topic)).rejects.toThrow('{"reason":"Unauthorized"}')
  }
})

test('the conversation of a claimed customer is accessible only with its visitor token', async ({
  world,
  server,
  connect,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const topic = `conversation:${conversation_id}`
  const stranger = await startVisitor(server, world.acme.id)
  const params = { customer_id: world.carla.customer_id }
  await expect(connect().join(topic, params)).rejects.toThrow('unauthorized')
  await expect(connect({ visitor_token: stranger.token }).join(topic, params)).rejects.toThrow('unauthorized')
  const carla = await connect({ visitor_token: world.carla.token }).join(topic, params)
  expect(await carla.push('ping', { a: 1 })).toEqual({ a: 1 })
})

test('an unknown conversation and a malformed id are refused, in the words that published clients know', async ({
  connect,
}) => {
  await expect(connect().join(`conversation:${randomUUID()}`)).rejects.toThrow('unauthorized')
  await expect(connect().join('conversation:not-an-id')).rejects.toThrow('join crashed')
})

test('a visitor can rejoin a deleted conversation, and restores it by writing', async ({
  as,
  startLegacyVisitor,
  joinTeam,
  connect,
}) => {
  const { customer_id, conversation_id } = await startLegacyVisitor()
  await as.ada(conversations.remove, { params: { id: conversation_id } })
  const team = await joinTeam()
  const visitor = await connect().join(`conversation:${conversation_id}`, { customer_id })
  visitor.channel.push('shout', { body: 'Are you there?', customer_id })
  expect(await visitor.receive('shout')).toMatchObject({ body: 'Are you there?' })
  await team.receive(
    'conversation:updated',
    ({ id, updates }) => id === conversation_id && updates.archived_at === null,
  )
})

test('a customer deleted meanwhile can no longer write, by socket or through an API client', async ({
  as,
  startLegacyVisitor,
  connect,
}) => {
  const { customer_id, conversation_id } = await startLegacyVisitor()
  const topic = `conversation:${conversation_id}`
  const visitor = await connect().join(topic, { customer_id })
  const ended = new Promise((resolve) => visitor.channel.onClose(resolve))
  await as.ada(customerProfiles.remove, { params: { id: customer_id } })
  await ended
  await expect(connect().join(topic, { customer_id })).rejects.toThrow('unauthorized')
  await expect(post(as.ada, { conversation_id, customer_id, body: 'A ghost' })).rejects.toMatchObject({ status: 403 })
  const { data } = await as.ada(conversations.get, { params: { id: conversation_id } })
  expect(data).toMatchObject({ messages: [], archived_at: expect.any(String) })
})

test('messages sent before the client learns of it are refused, too', async ({
  server,
  startLegacyVisitor,
  connect,
}) => {
  const { customer_id, conversation_id } = await startLegacyVisitor()
  const visitor = await connect().join(`conversation:${conversation_id}`, { customer_id })
  const deleted_at = new Date().toISOString()
  await server.context.db.updateTable('customers').set({ deleted_at }).where('id', '=', customer_id).execute()
  await expect(visitor.push('shout', { body: 'A ghost', customer_id })).rejects.toThrow('unauthorized')
})

test('a customer merged meanwhile can continue to write, by socket and through an API client', async ({
  as,
  startLegacyVisitor,
  connect,
}) => {
  const { customer_id, conversation_id } = await startLegacyVisitor()
  const survivor = (await startLegacyVisitor()).customer_id
  const visitor = await connect().join(`conversation:${conversation_id}`, { customer_id })
  await as.ada(customerProfiles.merge, { params: { id: survivor }, body: { customer_id } })
  await visitor.push('shout', { body: 'Still me', customer_id })
  expect(await visitor.receive('shout')).toMatchObject({ body: 'Still me', customer_id: survivor })
  const spoken = await post(as.ada, { conversation_id, customer_id, body: 'By phone' })
  expect(spoken.data).toMatchObject({ customer_id: survivor })
})

test('a user’s shout as a bot leaves the conversation unread and unassigned', async ({
  as,
  world,
  startLegacyVisitor,
  joinTeam,
}) => {
  const { conversation_id } = await startLegacyVisitor()
  const team = await joinTeam()
  await team.push('shout', { conversation_id, body: 'Beep', type: 'bot' })
  expect(await team.receive('shout', (message) => message.conversation_id === conversation_id)).toMatchObject({
    type: 'bot',
    user_id: world.ada.id,
  })
  const { data } = await as.ada(conversations.get, { params: { id: conversation_id } })
  expect(data).toMatchObject({ read: false, assignee_id: null })
})

test('a conversation started by an agent is announced in the customer’s lobby, with only its id', async ({
  as,
  startLegacyVisitor,
  connect,
}) => {
  const { customer_id } = await startLegacyVisitor()
  const lobby = await connect().join(`conversation:lobby:${customer_id}`)
  const started = await as.ada(conversations.create, {
    body: { conversation: { customer_id, message: { body: 'Hello there' } } },
  })
  expect(await lobby.receive('conversation:created')).toEqual({ id: started.data.id })
})

test('signing out closes the sockets of that session at once', async ({ as, world, connect }) => {
  const signedIn = await as.anybody(authSessions.signIn, {
    body: { user: { email: world.ben.email, password: 'correct horse battery' } },
  })
  const socket = connect({ token: signedIn.data.token })
  await socket.join(`notification:${world.acme.id}`)
  const closed = new Promise((resolve) => socket.socket.onClose(resolve))
  await as.holder(signedIn.data.token)(authSessions.signOut)
  await closed
})

test('an unknown token is refused at the upgrade', async ({ connect }) => {
  const { socket } = connect({ token: 'pas_nobody' })
  const error = await new Promise<unknown>((resolve) => socket.onError(resolve))
  expect(String((error as { message?: string }).message)).toContain('403')
})
