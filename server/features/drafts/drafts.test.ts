import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, startConversation, type World } from '#tests/support/world.ts'
import { forgetEmptiedDrafts } from './drafts.ts'

let server: TestServer
let world: World
let conversation_id: string

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
  ;({ conversation_id } = await startConversation(server, world.carla))
})
afterAll(() => server.close())

const path = () => `/api/conversations/${conversation_id}/draft`
const read = async (token = world.ada.token) => (await server.request('GET', path(), { token })).body.data
const keep = (draft: object, token = world.ada.token) =>
  server.request('PUT', path(), { token, body: { draft: { type: 'reply', ...draft } } })

test('a draft follows its author, with its kind, mentions and files, and nobody else sees it', async () => {
  const form = new FormData()
  form.append('file', new Blob(['lamp']), 'lamp.txt')
  const upload = await fetch(`${server.url}/api/upload`, {
    method: 'POST',
    headers: { authorization: world.ada.token },
    body: form,
  })
  const { data: file } = await upload.json()
  const { status } = await keep({
    body: 'Half a sen',
    type: 'note',
    mentioned_user_ids: [world.ben.id],
    file_ids: [file.id],
    revision: 10,
  })
  expect(status).toBe(200)
  expect(await read()).toMatchObject({
    body: 'Half a sen',
    type: 'note',
    mentioned_user_ids: [world.ben.id],
    files: [{ id: file.id, filename: 'lamp.txt', size: 4 }],
    revision: 10,
  })
  expect(await read(world.ben.token)).toBeNull()
})

test('of two devices the one that wrote last wins, whichever arrives last', async () => {
  await keep({ body: 'newer', revision: 30 })
  const late = await keep({ body: 'older', revision: 20 })
  expect(late.body.data).toMatchObject({ body: 'newer', revision: 30 })
  expect(await read()).toMatchObject({ body: 'newer' })
})

test('an emptied draft is not brought back by older words that arrive late', async () => {
  await keep({ body: '', revision: 50 })
  await keep({ body: 'ghost', revision: 40 })
  expect(await read()).toMatchObject({ body: '', files: [], revision: 50 })
})

test('an emptied draft is forgotten after a month, and a written one never', async () => {
  await keep({ body: 'still wanted', revision: 60 }, world.ben.token)
  await server.context.db
    .updateTable('drafts')
    .set({ updated_at: '2026-01-01T00:00:00Z' })
    .where('conversation_id', '=', conversation_id)
    .execute()
  await forgetEmptiedDrafts(server.context.db)
  expect(await read()).toBeNull()
  expect(await read(world.ben.token)).toMatchObject({ body: 'still wanted' })
  await keep({ body: '', revision: 65 })
  await forgetEmptiedDrafts(server.context.db)
  expect(await read(), 'until then it keeps older words from coming back').toMatchObject({ body: '', revision: 65 })
})

test('a draft longer than a message may be is refused, and one for a conversation of another account finds nothing', async () => {
  expect((await keep({ body: 'x'.repeat(50_001), revision: 70 })).status).toBe(422)
  expect((await keep({ body: 'x', revision: 70 }, world.olga.token)).status).toBe(404)
})
