import { type Message, messages } from '#contract/conversations/messages.ts'
import { sharing } from '#contract/conversations/sharing.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { type Caller, expect, test } from '#tests/support/fixture.ts'
import { startConversation } from '#tests/support/world.ts'

const post = async (who: Caller, message: BodyInput<typeof messages.create>['message']) =>
  (await who(messages.create, { body: { message } })).data
const numbers = (messages: Message[]) => messages.map(({ number }) => number)

test('a shared link shows every public message, page by page, and no private note', async ({ as, world, server }) => {
  const { conversation_id } = await startConversation(server, world.carla, 'the first words')
  for (let i = 2; i <= 60; i++) {
    await post(as.ada, { conversation_id, body: `words ${i}`, type: i % 10 === 0 ? 'note' : 'reply' })
  }
  const { token } = (await as.ada(sharing.share, { params: { id: conversation_id } })).data
  const read = async (before?: number) =>
    (await as.anybody(sharing.shared, { query: { conversation_id, token, before } })).data
  const newest = await read()
  expect(newest.messages).toHaveLength(50)
  const older = await read(newest.next!)
  expect(older.next).toBeNull()
  expect(older.messages.at(-1)).toMatchObject({ body: 'the first words' })
  const all = [...newest.messages, ...older.messages]
  expect(numbers(all)).toEqual(Array.from({ length: 60 }, (_, i) => 60 - i).filter((number) => number % 10 !== 0))
  expect(JSON.stringify(all)).not.toContain('"note"')
})

test('a thread opens at the first message of the customer that nobody has read, however far back', async ({
  as,
  world,
  server,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  await post(as.ada, { conversation_id, body: 'An answer, so what was there is read.' })
  for (let i = 3; i <= 70; i++) await post(as.carla, { conversation_id, body: `${i}` })
  const open = () => as.ada(messages.list, { query: { conversation_id, around: 'unread', limit: 10 } })
  const page = await open()
  expect(numbers(page.data)).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
  expect(page.previous).toBe(8)
  await post(as.ada, { conversation_id, body: 'Now all is read.' })
  expect(numbers((await open()).data)[0]).toBe(71)
})

test('a message of the team may come with a header and buttons, and a customer cannot send such a form', async ({
  as,
  world,
  server,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const template = { header: { type: 'text', text: 'How was it?' }, buttons: [{ type: 'reply', text: 'Good' }] }
  expect(await post(as.ada, { conversation_id, body: '', template })).toMatchObject({ template })
  expect(await post(as.carla, { conversation_id, body: 'hm', template })).toMatchObject({ template: null })
})
