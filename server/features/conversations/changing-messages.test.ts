import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { createWorld, startConversation, startVisitor, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const as = (token: string, method: string, path: string, body?: object) => server.request(method, path, { token, body })
const post = async (token: string, message: object) =>
  (await as(token, 'POST', '/api/messages', { message: { id: randomUUID(), ...message } })).body.data
const remove = (token: string, { id }: { id: string }) => as(token, 'DELETE', `/api/messages/${id}`)
const change = (token: string, { id }: { id: string }, message: object) =>
  as(token, 'PUT', `/api/messages/${id}`, { message })
const find = async (q: string, conversation_id: string) =>
  (await as(world.ada.token, 'GET', `/api/search?q=${q}`)).body.data.filter(
    (hit: { conversation: { id: string } }) => hit.conversation.id === conversation_id,
  )
const read = async (id: string) => (await as(world.ada.token, 'GET', `/api/conversations/${id}`)).body.data
const bodies = async (token: string, conversation_id: string) =>
  (await as(token, 'GET', `/api/messages?conversation_id=${conversation_id}`)).body.data.map(
    ({ body }: { body: string }) => body,
  )

test('a message is deleted by whoever wrote it and by admins, and by nobody else', async () => {
  const { conversation_id, message } = await startConversation(server, world.carla)
  const adas = await post(world.ada.token, { conversation_id, body: 'From Ada' })
  const bens = await post(world.ben.token, { conversation_id, body: 'From Ben' })
  const refused = await remove(world.ben.token, adas)
  expect([refused.status, refused.body.error.message]).toEqual([
    403,
    'Only an admin may change or delete what somebody else wrote.',
  ])
  expect((await remove(world.ben.token, message)).status).toBe(403)
  expect((await remove(world.carla.token, message)).status).toBe(401)
  expect((await remove(world.olga.token, bens)).status).toBe(404)
  expect(await bodies(world.carla.token, conversation_id)).toEqual(['From Ben', 'From Ada', 'Hello?'])

  const gone = await remove(world.ben.token, bens)
  expect([gone.status, gone.body]).toEqual([204, ''])
  expect((await remove(world.ada.token, message)).status).toBe(204)
  expect(await bodies(world.carla.token, conversation_id)).toEqual(['From Ada'])
  expect((await remove(world.ben.token, bens)).status).toBe(404)
  expect((await as(world.ada.token, 'GET', `/api/messages/${bens.id}`)).status).toBe(404)
})

test('both sides are told at once that a message is gone; of a note, the team alone', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const reply = await post(world.ada.token, { conversation_id, body: 'Reply' })
  const note = await post(world.ada.token, { conversation_id, body: 'Note', private: true })
  const sockets = [
    new TestSocket(server.url, { token: world.ben.token }),
    new TestSocket(server.url, { token: world.carla.token }),
  ]
  const team = await sockets[0]!.join(`notification:${world.acme.id}`)
  const visitor = await sockets[1]!.join(`conversation:${conversation_id}`)
  await remove(world.ada.token, note)
  await remove(world.ada.token, reply)
  const [isNote, isReply] = [note, reply].map((sent) => (received: { id: string }) => received.id === sent.id)
  expect(await team.receive('message:deleted', isNote)).toEqual({ id: note.id, conversation_id, number: 3 })
  await team.receive('message:deleted', isReply)
  expect(await visitor.receive('message:deleted')).toEqual({ id: reply.id, conversation_id, number: 2 })
  for (const socket of sockets) socket.close()
})

test('whoever was away is told that it is gone, and never what it said', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const { cursor } = (await as(world.carla.token, 'GET', '/api/events')).body
  const reply = await post(world.ada.token, { conversation_id, body: 'The password is heron' })
  await change(world.ada.token, reply, { body: 'The password is Heron' })
  await remove(world.ada.token, reply)
  for (const { token } of [world.carla, world.ben]) {
    const { body } = await as(token, 'GET', `/api/events?after=${cursor}`)
    const told = body.data.filter(({ payload }: { payload: { id: string } }) => payload.id === reply.id)
    expect(told).toEqual([{ event: 'message:deleted', payload: { id: reply.id, conversation_id, number: 2 } }])
    expect(JSON.stringify(body).toLowerCase()).not.toContain('heron')
  }
})

test('a number is never given twice, and what was not seen is still told from what was', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const note = await post(world.ada.token, { conversation_id, body: 'Note', private: true })
  await remove(world.ada.token, note)
  const seen = await post(world.ada.token, { conversation_id, body: 'I saw one.', last_seen_number: 1 })
  expect(seen.number).toBe(3)
  const again = await post(world.carla.token, { conversation_id, body: 'Thanks' })
  await remove(world.ada.token, seen)
  const late = await as(world.ben.token, 'POST', '/api/messages', {
    message: { conversation_id, body: 'Bye', last_seen_number: 3 },
  })
  expect([late.status, late.body.data.messages[0].id]).toEqual([409, again.id])
})

test('nobody is called to a message that is gone, and nothing of it waits to be read', async () => {
  const visitor = await startVisitor(server, world.acme.id)
  const { conversation_id, message } = await startConversation(server, visitor)
  const counts = async () =>
    (await as(world.ben.token, 'GET', '/api/conversations/unread')).body.data.conversations as Record<string, number>
  const before = await counts()
  const note = { conversation_id, body: 'Look', private: true, mentioned_user_ids: [world.ben.id] }
  const [first, second] = [await post(world.ada.token, note), await post(world.ada.token, note)]
  expect(await counts()).toMatchObject({ mentioned: before.mentioned! + 1 })
  await remove(world.ada.token, first)
  expect(await counts()).toMatchObject({ mentioned: before.mentioned! + 1 })
  await remove(world.ada.token, second)
  expect(await counts()).toMatchObject({ mentioned: before.mentioned })
  expect(await read(conversation_id)).toMatchObject({ unseen_mention_user_ids: [], mentions: [] })

  const more = await post(visitor.token, { conversation_id, body: 'spam' })
  const most = await post(visitor.token, { conversation_id, body: 'spam' })
  await remove(world.ada.token, more)
  await remove(world.ada.token, message)
  expect(await read(conversation_id)).toMatchObject({ read: false })
  await remove(world.ada.token, most)
  expect(await read(conversation_id)).toMatchObject({ read: true, messages: [] })
})

test('when the first reply is taken back, the next one was the first', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const first = await post(world.ben.token, { conversation_id, body: 'Hi' })
  await post(world.ada.token, { conversation_id, body: 'Hm', private: true })
  const second = await post(world.ada.token, { conversation_id, body: 'Hello' })
  await remove(world.ben.token, first)
  expect((await read(conversation_id)).first_replied_at).toBe(second.created_at)
  await remove(world.ada.token, second)
  expect((await read(conversation_id)).first_replied_at).toBeNull()
})

test('its files go with it, search does not find it, and the trail says who did it, not what it said', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const form = new FormData()
  form.append('file', new Blob(['kingfisher'], { type: 'text/plain' }), 'kingfisher.txt')
  form.append('account_id', world.acme.id)
  const headers = { authorization: world.ada.token }
  const uploaded = (await (
    await fetch(`${server.url}/api/upload`, { method: 'POST', headers, body: form })
  ).json()) as {
    data: { id: string; file_url: string }
  }
  const message = await post(world.ada.token, { conversation_id, body: 'kingfisher', file_ids: [uploaded.data.id] })
  const found = async () => (await find('kingfisher', conversation_id)).length
  const count = async () => (await as(world.ada.token, 'GET', '/api/messages/count')).body.data.count
  const path = new URL(uploaded.data.file_url).pathname
  expect([await found(), (await server.request('GET', path)).status]).toEqual([1, 200])
  const before = await count()
  await remove(world.ada.token, message)
  expect([await found(), (await server.request('GET', path)).status, await count()]).toEqual([0, 404, before - 1])
  const folder = join(server.context.config.dataDir, 'files')
  const left = async () => (await readdir(folder, { recursive: true })).some((name) => name.includes(uploaded.data.id))
  await expect.poll(left, { timeout: 10_000 }).toBe(false)
  const trail = (await as(world.ada.token, 'GET', '/api/audit_entries?action=message.deleted')).body
  expect(trail.data[0]).toMatchObject({
    user_id: world.ada.id,
    subject_id: conversation_id,
    details: { message_id: message.id, number: 2, private: false, author_id: world.ada.id },
  })
  expect(JSON.stringify(trail)).not.toContain('kingfisher')
})

test('files that are kept when their message is taken back go with another one', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const form = new FormData()
  form.append('file', new Blob(['heron'], { type: 'text/plain' }), 'heron.txt')
  form.append('account_id', world.acme.id)
  const headers = { authorization: world.ada.token }
  const { data: file } = (await (
    await fetch(`${server.url}/api/upload`, { method: 'POST', headers, body: form })
  ).json()) as { data: { id: string; file_url: string } }
  const message = await post(world.ada.token, { conversation_id, body: 'Look', file_ids: [file.id] })
  const taken = await as(world.ada.token, 'DELETE', `/api/messages/${message.id}?keep_files=true`)
  expect(taken.status).toBe(204)
  const again = await post(world.ada.token, { conversation_id, body: 'Look here', file_ids: [file.id] })
  expect(again.attachments).toMatchObject([{ id: file.id }])
  expect((await server.request('GET', new URL(file.file_url).pathname)).status).toBe(200)
})

test('a conversation whose newest message is gone shows the one before, everywhere', async () => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Zacharias' })
  const { conversation_id } = await startConversation(server, visitor, 'First words')
  const reply = await post(world.ada.token, { conversation_id, body: 'Second words' })
  await remove(world.ada.token, reply)
  const list = (await as(world.ada.token, 'GET', '/api/conversations?messages=last&status=open')).body.data
  const own = (await as(visitor.token, 'GET', '/api/visitor_conversations')).body.data
  const hits = await find('zacharias', conversation_id)
  expect(list.find(({ id }: { id: string }) => id === conversation_id).messages[0].body).toBe('First words')
  expect(own[0]).toMatchObject({ last_message: { body: 'First words' }, unseen: 0 })
  expect(hits[0].message.excerpt.text).toBe('First words')
})

test('words are changed for both sides, live, later and in search, and bear when', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const { cursor } = (await as(world.carla.token, 'GET', '/api/events')).body
  const reply = await post(world.ben.token, { conversation_id, body: 'It costs 10 wombats' })
  const socket = new TestSocket(server.url, { token: world.carla.token })
  const topic = await socket.join(`conversation:${conversation_id}`)
  const { status, body } = await change(world.ben.token, reply, { ...reply, body: 'It costs 12 quokkas' })
  expect(status).toBe(200)
  expect(body.data).toMatchObject({
    id: reply.id,
    number: 2,
    body: 'It costs 12 quokkas',
    edited_at: expect.any(String),
  })
  const received = await topic.receive('message:updated')
  expect(received).toMatchObject({ body: 'It costs 12 quokkas', user: { email: 'ben' } })
  socket.close()
  expect(await bodies(world.carla.token, conversation_id)).toEqual(['It costs 12 quokkas', 'Hello?'])
  const missed = JSON.stringify((await as(world.carla.token, 'GET', `/api/events?after=${cursor}`)).body)
  expect(missed).toContain('quokkas')
  expect(missed).not.toContain('wombats')
  expect(await find('wombats', conversation_id)).toHaveLength(0)
  expect(await find('quokkas', conversation_id)).toHaveLength(1)
  const again = await as(world.ben.token, 'PATCH', `/api/messages/${reply.id}`, { message: { body: body.data.body } })
  expect(again.body.data.edited_at).toBe(body.data.edited_at)
  const trail = (await as(world.ada.token, 'GET', '/api/audit_entries?action=message.updated')).body.data
  const noted = trail.filter((entry: { subject_id: string }) => entry.subject_id === conversation_id)
  expect(noted).toMatchObject([{ user_id: world.ben.id, details: { fields: ['body'] } }])
})

test('what a customer said is never changed; metadata are', async () => {
  const { message } = await startConversation(server, world.carla)
  const refused = await change(world.ada.token, message, { body: 'I am delighted.' })
  expect([refused.status, refused.body.error.message]).toEqual([422, 'What a customer said is never changed.'])
  const kept = await change(world.ada.token, message, { body: message.body, metadata: { topic: 'lamps' } })
  expect(kept.body.data).toMatchObject({ body: 'Hello?', metadata: { topic: 'lamps' }, edited_at: null })
})

test('a note stays a note, a reply a reply, and of neither nothing is left', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const note = await post(world.ada.token, { conversation_id, body: 'Careful', private: true })
  const reply = await post(world.ada.token, { conversation_id, body: 'Hello' })
  for (const [message, wanted] of [
    [note, { private: false }],
    [note, { type: 'reply' }],
    [reply, { private: true }],
  ]) {
    const { status, body } = await change(world.ada.token, message, wanted)
    expect([status, body.error.message]).toEqual([
      422,
      'Whether a message is a note is said when it is written. Delete it and write a new one.',
    ])
  }
  const empty = await change(world.ada.token, reply, { body: ' ' })
  expect([empty.status, empty.body.error.errors]).toEqual([422, { body: ["can't be blank"] }])
})
