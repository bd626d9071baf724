import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { audit } from '#contract/accounts/audit.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { search } from '#contract/conversations/search.ts'
import { visitorConversations } from '#contract/conversations/visitor-conversations.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { events } from '#contract/events.ts'
import { test as base, type Caller, expect, refusalOf } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

const post = async (who: Caller, message: BodyInput<typeof messages.create>['message']) =>
  (await who(messages.create, { body: { message: { id: randomUUID(), ...message } } })).data
const remove = (who: Caller, { id }: { id: string }) => who(messages.remove, { params: { id } })
const change = (who: Caller, { id }: { id: string }, message: BodyInput<typeof messages.update>['message']) =>
  who(messages.update, { params: { id }, body: { message } })

const bodies = async (who: Caller, conversation_id: string) =>
  (await who(messages.list, { query: { conversation_id } })).data.map(({ body }) => body)

const test = base
  .extend('find', ({ as }) => async (q: string, conversation_id: string) => {
    return (await as.ada(search.find, { query: { q } })).data.filter((hit) => hit.conversation.id === conversation_id)
  })
  .extend('read', ({ as }) => async (id: string) => {
    return (await as.ada(conversations.get, { params: { id } })).data
  })

test('a message can be deleted only by its author and admins', async ({ as, world, server }) => {
  const { conversation_id, message } = await startConversation(server, world.carla)
  const adas = await post(as.ada, { conversation_id, body: 'From Ada' })
  const bens = await post(as.ben, { conversation_id, body: 'From Ben' })
  await expect(remove(as.ben, adas)).rejects.toMatchObject({
    status: 403,
    message: 'Only admins may change or delete messages of others.',
  })
  await expect(remove(as.ben, message)).rejects.toMatchObject({ status: 403 })
  await expect(remove(as.carla, message)).rejects.toMatchObject({ status: 401 })
  await expect(remove(as.olga, bens)).rejects.toMatchObject({ status: 404 })
  expect(await bodies(as.carla, conversation_id)).toEqual(['From Ben', 'From Ada', 'Hello?'])

  expect(await remove(as.ben, bens)).toBe('')
  await remove(as.ada, message)
  expect(await bodies(as.carla, conversation_id)).toEqual(['From Ada'])
  await expect(remove(as.ben, bens)).rejects.toMatchObject({ status: 404 })
  await expect(as.ada(messages.get, { params: { id: bens.id } })).rejects.toMatchObject({ status: 404 })
})

test('both sides are notified at once when a message is deleted; for a note, only the team', async ({
  as,
  world,
  server,
  openSocket,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const reply = await post(as.ada, { conversation_id, body: 'Reply' })
  const note = await post(as.ada, { conversation_id, body: 'Note', private: true })
  const sockets = [openSocket({ token: world.ben.token }), openSocket({ token: world.carla.token })]
  const team = await sockets[0]!.join(`notification:${world.acme.id}`)
  const visitor = await sockets[1]!.join(`conversation:${conversation_id}`)
  await remove(as.ada, note)
  await remove(as.ada, reply)
  const [isNote, isReply] = [note, reply].map((sent) => (received: { id: string }) => received.id === sent.id)
  expect(await team.receive('message:deleted', isNote)).toEqual({ id: note.id, conversation_id, number: 3 })
  await team.receive('message:deleted', isReply)
  expect(await visitor.receive('message:deleted')).toEqual({ id: reply.id, conversation_id, number: 2 })
})

test('clients that were offline learn that it was deleted, and never its text', async ({ as, world, server }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const { cursor } = await as.carla(events.after)
  const reply = await post(as.ada, { conversation_id, body: 'The password is heron' })
  await change(as.ada, reply, { body: 'The password is Heron' })
  await remove(as.ada, reply)
  for (const { token } of [world.carla, world.ben]) {
    const body = await as.holder(token)(events.after, { query: { after: cursor } })
    const received = body.data.filter(({ payload }) => 'id' in payload && payload.id === reply.id)
    expect(received).toEqual([{ event: 'message:deleted', payload: { id: reply.id, conversation_id, number: 2 } }])
    expect(JSON.stringify(body).toLowerCase()).not.toContain('heron')
  }
})

test('numbers are never reused, and unseen messages remain distinguishable from seen ones', async ({
  as,
  world,
  server,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const note = await post(as.ada, { conversation_id, body: 'Note', private: true })
  await remove(as.ada, note)
  const seen = await post(as.ada, { conversation_id, body: 'I saw one.', last_seen_number: 1 })
  expect(seen.number).toBe(3)
  const again = await post(as.carla, { conversation_id, body: 'Thanks' })
  await remove(as.ada, seen)
  const late = await refusalOf(post(as.ben, { conversation_id, body: 'Bye', last_seen_number: 3 }))
  expect([late.status, late.body.data.messages[0].id]).toEqual([409, again.id])
})

test('a deleted message sends no notifications, and does not count as unread', async ({ as, world, server, read }) => {
  const visitor = await startVisitor(server, world.acme.id)
  const { conversation_id, message } = await startConversation(server, visitor)
  const counts = async () => (await as.ben(conversations.unread)).data.conversations
  const before = await counts()
  const note = { conversation_id, body: 'Look', private: true, mentioned_user_ids: [world.ben.id] }
  const [first, second] = [await post(as.ada, note), await post(as.ada, note)]
  expect(await counts()).toMatchObject({ mentioned: before.mentioned + 1 })
  await remove(as.ada, first)
  expect(await counts()).toMatchObject({ mentioned: before.mentioned + 1 })
  await remove(as.ada, second)
  expect(await counts()).toMatchObject({ mentioned: before.mentioned })
  expect(await read(conversation_id)).toMatchObject({ unseen_mention_user_ids: [], mentions: [] })

  const more = await post(as.holder(visitor.token), { conversation_id, body: 'spam' })
  const most = await post(as.holder(visitor.token), { conversation_id, body: 'spam' })
  await remove(as.ada, more)
  await remove(as.ada, message)
  expect(await read(conversation_id)).toMatchObject({ read: false })
  await remove(as.ada, most)
  expect(await read(conversation_id)).toMatchObject({ read: true, messages: [] })
})

test('when the first reply is deleted, the next one counts as the first', async ({ as, world, server, read }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const first = await post(as.ben, { conversation_id, body: 'Hi' })
  await post(as.ada, { conversation_id, body: 'Hm', private: true })
  const second = await post(as.ada, { conversation_id, body: 'Hello' })
  await remove(as.ben, first)
  expect((await read(conversation_id)).first_replied_at).toBe(second.created_at)
  await remove(as.ada, second)
  expect((await read(conversation_id)).first_replied_at).toBeNull()
})

test('its files are deleted, search does not find it, and the audit trail records who deleted it, not its text', async ({
  as,
  world,
  server,
  find,
}) => {
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
  const message = await post(as.ada, { conversation_id, body: 'kingfisher', file_ids: [uploaded.data.id] })
  const countMatches = async () => (await find('kingfisher', conversation_id)).length
  const count = async () => (await as.ada(messages.count)).data.count
  const path = new URL(uploaded.data.file_url).pathname
  expect([await countMatches(), (await server.request('GET', path)).status]).toEqual([1, 200])
  const before = await count()
  await remove(as.ada, message)
  expect([await countMatches(), (await server.request('GET', path)).status, await count()]).toEqual([
    0,
    404,
    before - 1,
  ])
  const folder = join(server.context.config.dataDir, 'files')
  const isStored = async () =>
    (await readdir(folder, { recursive: true })).some((name) => name.includes(uploaded.data.id))
  await expect.poll(isStored, { timeout: 10_000 }).toBe(false)
  const trail = await as.ada(audit.list, { query: { action: 'message.deleted' } })
  expect(trail.data[0]).toMatchObject({
    user_id: world.ada.id,
    subject_id: conversation_id,
    details: { message_id: message.id, number: 2, private: false, author_id: world.ada.id },
  })
  expect(JSON.stringify(trail)).not.toContain('kingfisher')
})

test('files that are kept when their message is deleted can be attached to another one', async ({
  as,
  world,
  server,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const form = new FormData()
  form.append('file', new Blob(['heron'], { type: 'text/plain' }), 'heron.txt')
  form.append('account_id', world.acme.id)
  const headers = { authorization: world.ada.token }
  const { data: file } = (await (
    await fetch(`${server.url}/api/upload`, { method: 'POST', headers, body: form })
  ).json()) as { data: { id: string; file_url: string } }
  const message = await post(as.ada, { conversation_id, body: 'Look', file_ids: [file.id] })
  await as.ada(messages.remove, { params: { id: message.id }, query: { keep_files: 'true' } })
  const again = await post(as.ada, { conversation_id, body: 'Look here', file_ids: [file.id] })
  expect(again.attachments).toMatchObject([{ id: file.id }])
  expect((await server.request('GET', new URL(file.file_url).pathname)).status).toBe(200)
})

test('a conversation whose newest message was deleted shows the previous one everywhere', async ({
  as,
  world,
  server,
  find,
}) => {
  const visitor = await startVisitor(server, world.acme.id, { name: 'Zacharias' })
  const { conversation_id } = await startConversation(server, visitor, 'First words')
  const reply = await post(as.ada, { conversation_id, body: 'Second words' })
  await remove(as.ada, reply)
  const list = (await as.ada(conversations.list, { query: { messages: 'last', status: 'open' } })).data
  const own = (await as.holder(visitor.token)(visitorConversations.list)).data
  const hits = await find('zacharias', conversation_id)
  expect(list.find(({ id }) => id === conversation_id)?.messages[0]?.body).toBe('First words')
  expect(own[0]).toMatchObject({ last_message: { body: 'First words' }, unseen: 0 })
  expect(hits[0]?.message?.excerpt.text).toBe('First words')
})

test('an edit is visible to both sides, live, later and in search, with its time', async ({
  as,
  world,
  server,
  openSocket,
  find,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const { cursor } = await as.carla(events.after)
  const reply = await post(as.ben, { conversation_id, body: 'It costs 10 wombats' })
  const socket = openSocket({ token: world.carla.token })
  const topic = await socket.join(`conversation:${conversation_id}`)
  const { data } = await change(as.ben, reply, { ...reply, body: 'It costs 12 quokkas' })
  expect(data).toMatchObject({
    id: reply.id,
    number: 2,
    body: 'It costs 12 quokkas',
    edited_at: expect.any(String),
  })
  const received = await topic.receive('message:updated')
  expect(received).toMatchObject({ body: 'It costs 12 quokkas', user: { email: 'ben' } })
  expect(await bodies(as.carla, conversation_id)).toEqual(['It costs 12 quokkas', 'Hello?'])
  const missed = JSON.stringify(await as.carla(events.after, { query: { after: cursor } }))
  expect(missed).toContain('quokkas')
  expect(missed).not.toContain('wombats')
  expect(await find('wombats', conversation_id)).toHaveLength(0)
  expect(await find('quokkas', conversation_id)).toHaveLength(1)
  const again = await as.ben(messages.update, { params: { id: reply.id }, body: { message: { body: data.body } } })
  expect(again.data.edited_at).toBe(data.edited_at)
  const trail = (await as.ada(audit.list, { query: { action: 'message.updated' } })).data
  const noted = trail.filter((entry) => entry.subject_id === conversation_id)
  expect(noted).toMatchObject([{ user_id: world.ben.id, details: { fields: ['body'] } }])
})

test('the text of a customer’s message cannot be changed; its metadata can', async ({ as, world, server }) => {
  const { message } = await startConversation(server, world.carla)
  await expect(change(as.ada, message, { body: 'I am delighted.' })).rejects.toMatchObject({
    status: 422,
    message: 'Messages of customers cannot be changed.',
  })
  const updated = await change(as.ada, message, { body: message.body, metadata: { topic: 'lamps' } })
  expect(updated.data).toMatchObject({ body: 'Hello?', metadata: { topic: 'lamps' }, edited_at: null })
})

test('a note stays a note, a reply a reply, and neither may become empty', async ({ as, world, server }) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const note = await post(as.ada, { conversation_id, body: 'Careful', private: true })
  const reply = await post(as.ada, { conversation_id, body: 'Hello' })
  for (const [message, wanted] of [
    [note, { private: false }],
    [note, { type: 'reply' }],
    [reply, { private: true }],
  ] as const) {
    await expect(change(as.ada, message, wanted)).rejects.toMatchObject({
      status: 422,
      message: 'A message cannot be turned into a note, nor a note into a message. Delete it and write a new one.',
    })
  }
  const empty = await refusalOf(change(as.ada, reply, { body: ' ' }))
  expect([empty.status, empty.errors]).toEqual([422, { body: ["can't be blank"] }])
})
