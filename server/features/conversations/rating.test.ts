import { sql } from 'kysely'
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

const rate = (token: string | undefined, id: string, rating: object) =>
  server.request('POST', `/api/conversations/${id}/rating`, { token, body: { rating } })
const read = async (token: string, id: string) => server.request('GET', `/api/conversations/${id}/rating`, { token })
const set = (id: string, changes: object) =>
  server.request('PUT', `/api/conversations/${id}`, { token: world.ada.token, body: { conversation: changes } })

async function startClosed() {
  const visitor = await startVisitor(server, world.acme.id)
  const { conversation_id } = await startConversation(server, visitor)
  await set(conversation_id, { status: 'closed', assignee_id: world.ben.id })
  return { ...visitor, conversation_id }
}

test('a visitor rates a closed conversation with one to five and a comment, and the team reads it', async () => {
  const { token, conversation_id } = await startClosed()
  const { body, status } = await rate(token, conversation_id, { score: 5, comment: ' Quick and kind. ' })
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ conversation_id, score: 5, comment: 'Quick and kind.', user_id: world.ben.id })
  expect((await read(world.ben.token, conversation_id)).body.data).toEqual(body.data)
})

test('a conversation has one rating, which may be changed for a day; a comment left out stays', async () => {
  const { token, conversation_id } = await startClosed()
  const first = await rate(token, conversation_id, { score: 2, comment: 'Slow.' })
  const second = await rate(token, conversation_id, { score: 4 })
  expect(second.body.data).toMatchObject({ id: first.body.data.id, score: 4, comment: 'Slow.' })
  expect((await rate(token, conversation_id, { score: 4, comment: null })).body.data.comment).toBeNull()
  await set(conversation_id, { status: 'open' })
  expect((await rate(token, conversation_id, { score: 3 })).status, 'reopened meanwhile').toBe(200)

  await sql`update conversation_ratings set created_at = now() - interval '25 hours'
            where conversation_id = ${conversation_id}`.execute(server.context.db)
  expect((await rate(token, conversation_id, { score: 1 })).body.error.errors).toEqual({
    score: ['can no longer be changed'],
  })
  expect((await read(world.ada.token, conversation_id)).body.data.score).toBe(3)
})

test('an open conversation is not rated, and no score lies outside one to five', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const early = await rate(world.carla.token, conversation_id, { score: 5 })
  expect(early.body.error.errors).toEqual({ score: ['needs a closed conversation'] })
  const closed = await startClosed()
  for (const score of [0, 6, 2.5])
    expect((await rate(closed.token, closed.conversation_id, { score })).status).toBe(422)
  expect((await read(world.ada.token, closed.conversation_id)).body.data).toBeNull()
})

test('nobody rates or reads what is not theirs', async () => {
  const { conversation_id } = await startClosed()
  expect((await rate(world.carla.token, conversation_id, { score: 1 })).status).toBe(404)
  expect((await rate(world.ada.token, conversation_id, { score: 1 })).status).toBe(401)
  expect((await read(world.olga.token, conversation_id)).status).toBe(404)
})

test('the team and the visitor’s other windows are told of a rating', async () => {
  const { token, customer_id, conversation_id } = await startClosed()
  const team = await new TestSocket(server.url, { token: world.ada.token }).join(`notification:${world.acme.id}`)
  const window = await new TestSocket(server.url, { visitor_token: token }).join(`conversation:${conversation_id}`, {
    customer_id,
  })
  const { body } = await rate(token, conversation_id, { score: 4 })
  expect(await team.receive('conversation:rated')).toEqual(body.data)
  expect(await window.receive('conversation:rated')).toEqual(body.data)
})

test('a visitor lists their own chats, the latest first, with the newest words, what is unseen, and the rating', async () => {
  const visitor = await startVisitor(server, world.acme.id)
  const list = async () =>
    (await server.request('GET', '/api/visitor_conversations', { token: visitor.token })).body.data
  const older = await startConversation(server, visitor, 'About the lamp')
  const newer = await startConversation(server, visitor, 'About the bill')
  const answer = (body: string, type = 'reply') =>
    server.request('POST', '/api/messages', {
      token: world.ada.token,
      body: { message: { conversation_id: older.conversation_id, body, type } },
    })
  await answer('It is on its way.')
  await answer('He asks every week', 'note')
  await set(newer.conversation_id, { status: 'closed' })
  await rate(visitor.token, newer.conversation_id, { score: 3 })
  await server.request('POST', '/api/conversations', { token: visitor.token, body: { conversation: {} } })

  const rows = await list()
  expect(rows.map(({ id }: { id: string }) => id)).toEqual([newer.conversation_id, older.conversation_id])
  expect(rows[0]).toMatchObject({ status: 'closed', unseen: 0, rating: { score: 3 } })
  expect(rows[1]).toMatchObject({ status: 'open', unseen: 1, rating: null })
  expect(rows[1].last_message).toMatchObject({ body: 'It is on its way.', user: { email: 'ada' } })
  await server.request('POST', `/api/conversations/${older.conversation_id}/archive`, { token: world.ada.token })
  expect(await list()).toHaveLength(1)
})
