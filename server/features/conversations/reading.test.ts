import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, startConversation, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const ask = async (path: string, token?: string) => (await server.request('GET', path, { token })).body
const post = async (token: string, message: object) =>
  (await server.request('POST', '/api/messages', { token, body: { message } })).body.data
const numbers = (messages: Message[]) => messages.map(({ number }) => number)

test('a shared link shows every public message, page by page, and no private note', async () => {
  const { conversation_id } = await startConversation(server, world.carla, 'the first words')
  for (let i = 2; i <= 60; i++) {
    await post(world.ada.token, { conversation_id, body: `words ${i}`, type: i % 10 === 0 ? 'note' : 'reply' })
  }
  const { body } = await server.request('POST', `/api/conversations/${conversation_id}/share`, {
    token: world.ada.token,
  })
  const path = `/api/conversations/shared?conversation_id=${conversation_id}&token=${body.data.token}`
  const newest = (await ask(path)).data
  expect(newest.messages).toHaveLength(50)
  const older = (await ask(`${path}&before=${newest.next}`)).data
  expect(older.next).toBeNull()
  expect(older.messages.at(-1)).toMatchObject({ body: 'the first words' })
  const all = [...newest.messages, ...older.messages]
  expect(numbers(all)).toEqual(Array.from({ length: 60 }, (_, i) => 60 - i).filter((number) => number % 10 !== 0))
  expect(JSON.stringify(all)).not.toContain('"note"')
})

test('a thread opens at the first message of the customer that nobody has read, however far back', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  await post(world.ada.token, { conversation_id, body: 'An answer, so what was there is read.' })
  for (let i = 3; i <= 70; i++) await post(world.carla.token, { conversation_id, body: `${i}` })
  const path = `/api/messages?conversation_id=${conversation_id}&around=unread&limit=10`
  const page = await ask(path, world.ada.token)
  expect(numbers(page.data)).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
  expect(page.previous).toBe(8)
  await post(world.ada.token, { conversation_id, body: 'Now all is read.' })
  expect(numbers((await ask(path, world.ada.token)).data)[0]).toBe(71)
})

test('a message of the team may come with a header and buttons, and a customer cannot send such a form', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const template = { header: { type: 'text', text: 'How was it?' }, buttons: [{ type: 'reply', text: 'Good' }] }
  expect(await post(world.ada.token, { conversation_id, body: '', template })).toMatchObject({ template })
  expect(await post(world.carla.token, { conversation_id, body: 'hm', template })).toMatchObject({ template: null })
})
