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

const ask = (method: string, path: string, body?: object, token = world.ada.token) =>
  server.request(method, path, { token, body })
const addTag = async (name: string) => (await ask('POST', '/api/tags', { tag: { name, color: 'magenta' } })).body.data

test('a tag is put on a conversation once, seen by the team at once, and taken off', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const tag = await addTag('urgent')
  const socket = new TestSocket(server.url, { token: world.ben.token })
  const team = await socket.join(`notification:${world.acme.id}`)
  for (let i = 0; i < 2; i++) {
    expect((await ask('POST', `/api/conversations/${conversation_id}/tags`, { tag_id: tag.id })).body).toEqual({
      data: { ok: true },
    })
  }
  expect(await team.receive('conversation:tagged')).toMatchObject({ id: conversation_id, tags: [{ name: 'urgent' }] })
  expect((await ask('GET', `/api/conversations/${conversation_id}`)).body.data.tags).toMatchObject([
    { id: tag.id, name: 'urgent' },
  ])
  expect((await ask('GET', `/api/conversations?tag_id=${tag.id}`)).body.data).toHaveLength(1)
  const path = `/api/conversations/${conversation_id}/tags/${tag.id}`
  expect((await ask('DELETE', path)).body).toEqual({ data: { ok: true } })
  expect((await ask('DELETE', path)).status).toBe(404)
  socket.close()
})

test('a tag’s name is unique in its account, and a tag of another account is not found', async () => {
  await addTag('bug')
  expect((await ask('POST', '/api/tags', { tag: { name: 'bug' } })).body.error.errors).toEqual({
    name: ['has already been taken'],
  })
  const foreign = (await ask('POST', '/api/tags', { tag: { name: 'bug' } }, world.olga.token)).body.data
  const { conversation_id } = await startConversation(server, world.carla)
  expect((await ask('POST', `/api/conversations/${conversation_id}/tags`, { tag_id: foreign.id })).status).toBe(404)
})

test('deleting a tag takes it off everything', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const tag = await addTag('short-lived')
  await ask('POST', `/api/conversations/${conversation_id}/tags`, { tag_id: tag.id })
  expect((await ask('DELETE', `/api/tags/${tag.id}`)).status).toBe(204)
  expect((await ask('GET', `/api/conversations/${conversation_id}`)).body.data.tags).toEqual([])
})

test('a shared link shows the conversation to anyone, without notes, tags or addresses', async () => {
  const { conversation_id } = await startConversation(server, world.carla, 'shown')
  await ask('POST', '/api/messages', { message: { conversation_id, body: 'hidden', type: 'note' } })
  const { token } = (await ask('POST', `/api/conversations/${conversation_id}/share`)).body.data
  const { body } = await server.request(
    'GET',
    `/api/conversations/shared?conversation_id=${conversation_id}&token=${token}`,
  )
  expect(body.data.messages.map((message: { body: string }) => message.body)).toEqual(['shown'])
  expect(body.data.customer).toEqual({ id: world.carla.customer_id, object: 'customer', name: 'Carla', title: 'Carla' })
  expect(JSON.stringify(body)).not.toMatch(/hidden|customer\.test|acme\.test/)
})

test('a link opens only its own conversation, for 24 hours, and until it is revoked', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const other = await startConversation(server, world.carla)
  const make = async () => (await ask('POST', `/api/conversations/${conversation_id}/share`)).body.data
  const open = async (token: string, id = conversation_id) =>
    (await server.request('GET', `/api/conversations/shared?conversation_id=${id}&token=${token}`)).body.error
      ?.message ?? 'open'
  const { token, share } = await make()
  expect(Date.parse(share.expires_at) - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
  expect(await open(token)).toBe('open')
  expect(await open(token, other.conversation_id)).toBe('Access denied')
  expect(await open('psh_guess')).toBe('Access denied')
  expect((await ask('GET', `/api/conversations/${conversation_id}/shares`)).body.data).toHaveLength(1)
  expect((await ask('DELETE', `/api/conversations/${conversation_id}/shares/${share.id}`)).status).toBe(204)
  expect(await open(token)).toBe('Access denied')
  const late = await make()
  await sql`update conversation_shares set expires_at = now() - interval '1 second' where created_by = ${world.ada.id}`.execute(
    server.context.db,
  )
  expect(await open(late.token)).toBe('This link has expired')
  const last = await make()
  await ask('POST', `/api/conversations/${conversation_id}/archive`)
  expect(await open(last.token)).toBe('Not found')
})

test('previous is what the customer wrote before, related are the others with their last message', async () => {
  const visitor = await startVisitor(server, world.acme.id)
  const ids = []
  for (const text of ['one', 'two', 'three', 'four', 'five'])
    ids.push((await startConversation(server, visitor, text)).conversation_id)
  expect((await ask('GET', `/api/conversations/${ids[2]}/previous`)).body.data.id).toBe(ids[1])
  expect((await ask('GET', `/api/conversations/${ids[0]}/previous`)).body.data).toBe(null)
  const related = (await ask('GET', `/api/conversations/${ids[2]}/related`)).body.data
  expect(related.map((one: { messages: { body: string }[] }) => one.messages[0]!.body)).toEqual(['five', 'four', 'two'])
  expect((await ask('GET', `/api/conversations/${ids[2]}/previous`, undefined, world.olga.token)).status).toBe(404)
})
