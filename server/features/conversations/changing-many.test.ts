import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConversationRow } from '#contract/conversations.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, startConversation, startVisitor, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const changeMany = (body: object, token = world.ada.token) =>
  server.request('POST', '/api/conversations/bulk', { token, body })
const read = async (id: string) =>
  (await server.request('GET', `/api/conversations/${id}`, { token: world.ada.token })).body.data

async function startSome(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const visitor = await startVisitor(server, world.acme.id)
    ids.push((await startConversation(server, visitor)).conversation_id)
  }
  return ids
}

test('one call closes several, and the answer holds what each has become', async () => {
  const ids = await startSome(3)
  const { status, body } = await changeMany({ ids, changes: { status: 'closed' } })
  expect(status).toBe(200)
  expect(body.data.changed.map((row: ConversationRow) => [row.id, row.status])).toEqual(ids.map((id) => [id, 'closed']))
  expect(body.data.refused).toEqual([])
})

test('what is refused is named with the reason and does not hold up the others', async () => {
  const [closed, ...others] = await startSome(3)
  const stranger = randomUUID()
  await changeMany({ ids: [closed], changes: { status: 'closed' } })
  const { body } = await changeMany({
    ids: [closed, others[0], stranger, others[1], others[1]],
    changes: { snoozed: { until: null } },
  })
  expect(body.data.changed.map((row: ConversationRow) => row.id)).toEqual(others)
  expect(body.data.refused.map(({ id }: { id: string }) => id)).toEqual([closed, stranger])
})

test('several get a tag at once, and each carries it', async () => {
  const ids = await startSome(2)
  const tag = await server.request('POST', '/api/tags', { token: world.ada.token, body: { tag: { name: 'refund' } } })
  const { body } = await changeMany({ ids, tag_id: tag.body.data.id })
  expect(body.data.changed).toHaveLength(2)
  for (const id of ids) expect((await read(id)).tags).toMatchObject([{ name: 'refund' }])
})

test('another account’s conversations are not found', async () => {
  const ids = await startSome(1)
  const { body } = await changeMany({ ids, changes: { status: 'closed' } }, world.olga.token)
  expect(body.data).toMatchObject({ changed: [], refused: [{ id: ids[0] }] })
  expect((await read(ids[0]!)).status).toBe('open')
})

test('nobody changes more than 200 at once', async () => {
  const ids = Array.from({ length: 201 }, () => randomUUID())
  expect((await changeMany({ ids, changes: { status: 'closed' } })).status).toBe(422)
})
