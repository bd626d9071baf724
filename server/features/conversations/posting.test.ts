import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, register, startConversation, startVisitor, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const post = (token: string, message: object) => server.request('POST', '/api/messages', { token, body: { message } })
const read = async (id: string) =>
  (await server.request('GET', `/api/conversations/${id}`, { token: world.ada.token })).body.data
const change = (id: string, conversation: object) =>
  server.request('PUT', `/api/conversations/${id}`, { token: world.ada.token, body: { conversation } })

test("a customer's message leaves the conversation unread", async () => {
  const { conversation_id, message } = await startConversation(server, world.carla)
  const conversation = await read(conversation_id)
  expect(conversation).toMatchObject({ read: false, status: 'open', last_number: 1, assignee_id: null })
  expect(message).toMatchObject({ number: 1, type: 'reply', user: null, attachments: [], seen_at: null })
})

test("a customer's message reopens a closed conversation", async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const closed = await change(conversation_id, { status: 'closed' })
  expect(closed.body.data.closed_at).toEqual(expect.any(String))
  await post(world.carla.token, { conversation_id, body: 'One more thing' })
  expect(await read(conversation_id)).toMatchObject({ status: 'open', closed_at: null, read: false })
})

test("a customer's message brings a deleted conversation back, so that somebody reads it", async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  await server.request('POST', `/api/conversations/${conversation_id}/archive`, { token: world.ada.token })
  await post(world.carla.token, { conversation_id, body: 'Are you still there?' })
  expect(await read(conversation_id)).toMatchObject({ archived_at: null, status: 'open', read: false })
  const { data } = (await server.request('GET', '/api/conversations?status=open', { token: world.ada.token })).body
  expect(data.map(({ id }: { id: string }) => id)).toContain(conversation_id)
})

test("an agent's message does not reopen a closed conversation", async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  await change(conversation_id, { status: 'closed' })
  await post(world.ada.token, { conversation_id, body: 'Afterthought' })
  expect(await read(conversation_id)).toMatchObject({ status: 'closed', read: true })
})

test('the first public reply assigns the conversation and marks it read; a note before it does not', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const note = await post(world.ada.token, { conversation_id, body: 'Who takes this?', type: 'note', private: true })
  expect(note.body.data).toMatchObject({ private: true, type: 'note' })
  expect(await read(conversation_id)).toMatchObject({ read: true, assignee_id: null, first_replied_at: null })
  await post(world.ben.token, { conversation_id, body: 'I do.' })
  const replied = await read(conversation_id)
  expect(replied).toMatchObject({ assignee_id: world.ben.id, first_replied_at: expect.any(String) })
  await post(world.ada.token, { conversation_id, body: 'And I watch.' })
  expect((await read(conversation_id)).assignee_id).toBe(world.ben.id)
})

test("a bot's message leaves the conversation unread and unassigned", async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  await change(conversation_id, { read: true })
  await post(world.ada.token, { conversation_id, body: 'Beep', type: 'bot' })
  expect(await read(conversation_id)).toMatchObject({ read: false, assignee_id: null, first_replied_at: null })
})

test('a repeated id is answered with the stored message and adds nothing', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const message = { id: randomUUID(), conversation_id, body: 'Once' }
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(world.carla.token, message)))
  expect(new Set(answers.map((answer) => answer.body.data.number))).toEqual(new Set([2]))
  expect((await read(conversation_id)).messages).toHaveLength(2)
})

test('an id that stands for another message is refused', async () => {
  const first = await startConversation(server, world.carla)
  const stranger = await startVisitor(server, world.acme.id)
  const second = await startConversation(server, stranger)
  const answer = await post(stranger.token, {
    id: first.message.id,
    conversation_id: second.conversation_id,
    body: 'Mine',
  })
  expect(answer.status).toBe(422)
  expect(answer.body.error.errors).toEqual({ id: ['has already been taken'] })
})

test('messages that arrive at once are numbered without gap or double', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const senders = [world.carla.token, world.ada.token, world.ben.token]
  await Promise.all(Array.from({ length: 30 }, (_, i) => post(senders[i % 3]!, { conversation_id, body: `${i}` })))
  const { messages } = await read(conversation_id)
  expect(messages.map((message: { number: number }) => message.number)).toEqual(
    Array.from({ length: 31 }, (_, i) => i + 1),
  )
  const times = messages.map((message: { created_at: string }) => message.created_at)
  expect(times).toEqual([...times].sort())
})

test('a reply into an outdated view is refused with what was missed, and accepted when sent anyway', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  await post(world.carla.token, { conversation_id, body: 'Never mind, solved!' })
  const reply = { conversation_id, body: 'Have you tried turning it off?', last_seen_number: 1 }
  const refused = await post(world.ada.token, reply)
  expect(refused.status).toBe(409)
  expect(refused.body.error.reason).toBe('outdated_view')
  expect(refused.body.data.messages.map((message: { body: string }) => message.body)).toEqual(['Never mind, solved!'])
  expect((await read(conversation_id)).last_number).toBe(2)
  expect((await post(world.ada.token, { ...reply, last_seen_number: undefined })).status).toBe(201)
})

test("a colleague's newer message does not make a view outdated", async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  await post(world.ben.token, { conversation_id, body: 'On it' })
  expect((await post(world.ada.token, { conversation_id, body: 'Me too', last_seen_number: 1 })).status).toBe(201)
})

test('sent_at is echoed to the second', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const answer = await post(world.carla.token, { conversation_id, body: 'When?', sent_at: '2026-03-01T10:00:00.987Z' })
  expect(answer.body.data.sent_at).toBe('2026-03-01T10:00:00Z')
})

test('a null stands for what is left to the server, and API clients find messages by pattern', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const nulls = { id: null, type: null, private: null, source: null, file_ids: null, metadata: null, sent_at: null }
  const sent = await post(world.ada.token, { conversation_id, body: 'A Refund of 50%', ...nulls })
  expect(sent.body.data).toMatchObject({ type: 'reply', private: false, source: 'chat', attachments: [] })
  const count = async (body: string) => {
    const query = new URLSearchParams({ conversation_id, body })
    return (await server.request('GET', `/api/messages?${query}`, { token: world.ada.token })).body.data.length
  }
  for (const body of ['refund', '%REFUND%', '50%']) expect(await count(body), body).toBe(1)
  for (const body of ['%refund', '40%']) expect(await count(body), body).toBe(0)
})

test('an empty message is refused', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  for (const body of ['', '  \n ', null, undefined]) {
    const answer = await post(world.ada.token, { conversation_id, body })
    expect(answer.body.error).toMatchObject({ status: 422, errors: { body: ["can't be blank"] } })
  }
})

test('a visitor cannot speak as the team, write a note, or write into a conversation of somebody else', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const forged = await post(world.carla.token, {
    conversation_id,
    body: 'I am Ada',
    type: 'note',
    private: true,
    user_id: world.ada.id,
  })
  expect(forged.body.data).toMatchObject({
    type: 'reply',
    private: false,
    user_id: null,
    customer_id: world.carla.customer_id,
  })
  const stranger = await startVisitor(server, world.acme.id)
  expect((await post(stranger.token, { conversation_id, body: 'Hi' })).status).toBe(404)
})

test('a mentioned colleague has an unseen mention; the author and people of other accounts do not', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  await post(world.ada.token, {
    conversation_id,
    body: '@ben have a look',
    type: 'note',
    mentioned_user_ids: [world.ben.id, world.ada.id, world.olga.id],
  })
  const conversation = await read(conversation_id)
  expect(conversation.mentions.map((mention: { user_id: number }) => mention.user_id)).toEqual([world.ben.id])
  const counts = await server.request('GET', '/api/conversations/unread', { token: world.ben.token })
  expect(counts.body.data.conversations.mentioned).toBe(1)
})

test('who can no longer sign in cannot be mentioned, and is given no conversation', async () => {
  const invitation = await server.request('POST', '/api/user_invitations', { token: world.ada.token })
  const dana = await register(server, undefined, 'dana@acme.test', invitation.body.data.id)
  const { conversation_id } = await startConversation(server, world.carla)
  const assign = (assignee_id: number | null) =>
    server.request('PUT', `/api/conversations/${conversation_id}`, {
      token: world.ada.token,
      body: { conversation: { assignee_id } },
    })
  for (const id of [dana.id, null]) expect((await assign(id)).status).toBe(200)
  for (const end of ['disable', 'archive']) {
    await server.request('POST', `/api/users/${dana.id}/${end}`, { token: world.ada.token })
    await post(world.ada.token, { conversation_id, body: '@dana', type: 'note', mentioned_user_ids: [dana.id] })
    expect((await read(conversation_id)).mentions, end).toEqual([])
    expect((await assign(dana.id)).status, end).toBe(422)
  }
})

test('with customer_id an API client speaks for the customer, and not as both', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const { customer_id } = world.carla
  const spoken = await post(world.ada.token, { conversation_id, body: 'By phone', customer_id })
  expect(spoken.body.data).toMatchObject({ customer_id, user_id: null })
  const both = await post(world.ada.token, { conversation_id, body: 'x', customer_id, type: 'note' })
  expect(both.body.error.message).toBe('A message should not have both a `user_id` and `customer_id`')
  const foreign = await startVisitor(server, world.other.id)
  const refused = await post(world.ada.token, { conversation_id, body: 'x', customer_id: foreign.customer_id })
  expect(refused.body.error).toMatchObject({ status: 403, message: 'Forbidden: invalid `customer_id`' })
})
