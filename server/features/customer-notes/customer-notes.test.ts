import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withoutBystanders } from '#tests/support/bystanders/watched.ts'
import { type Json, startTestServer, type TestServer } from '#tests/support/server.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { createWorld, startVisitor, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const ask = (method: string, path: string, body?: object, token = world.ben.token) =>
  server.request(method, path, { token, body })
const write = (body: string, customer_id = world.carla.customer_id, token = world.ben.token) =>
  ask('POST', '/api/notes', { note: { body, customer_id } }, token)

test('notes come newest first with author and customer, page by page, of one customer or of all', async () => {
  const other = await startVisitor(server, world.acme.id, { name: 'Other' })
  for (const body of ['One', 'Two', 'Three']) await write(body)
  await write('Elsewhere', other.customer_id, world.ada.token)
  const bodies = (page: Json) => withoutBystanders<Json>(page.data).map((note: Json) => note.body)
  const all = (await ask('GET', '/api/notes')).body
  expect(bodies(all).toSorted()).toEqual(['Elsewhere', 'One', 'Three', 'Two'])
  expect(all.data[0]).toMatchObject({ object: 'note', content_type: 'text', customer: { id: expect.any(String) } })
  const path = `/api/notes?customer_id=${world.carla.customer_id}&limit=2`
  const first = (await ask('GET', path)).body
  expect(first.data[0]).toMatchObject({ author: { id: world.ben.id }, customer: { name: 'Carla' } })
  const second = (await ask('GET', `${path}&after=${first.next}`)).body
  expect([...bodies(first), ...bodies(second)].toSorted()).toEqual(['One', 'Three', 'Two'])
  expect(second.next).toBe(null)
  const mine = (await ask('GET', `/api/notes?author_id=${world.ada.id}`)).body
  expect(bodies(mine)).toEqual(['Elsewhere'])
  expect((await ask('GET', '/api/notes?after=nonsense')).status).toBe(400)
})

test('only its author or an admin changes or removes a note, and the team is told of each', async () => {
  const socket = new TestSocket(server.url, { token: world.ada.token })
  const received = await socket.join(`notification:${world.acme.id}`)
  const adas = (await write('By Ada', undefined, world.ada.token)).body.data
  expect(await received.receive('note:created')).toMatchObject({ id: adas.id, author: { id: world.ada.id } })
  const path = `/api/notes/${adas.id}`
  expect((await ask('DELETE', path)).body.error).toMatchObject({
    status: 403,
    message: 'Only its author or an admin may change this note.',
  })
  expect((await ask('PUT', path, { note: { body: 'By Ben' } })).status).toBe(403)
  const changed = await ask('PUT', path, { note: { body: 'Better' } }, world.ada.token)
  expect(changed.body.data.body).toBe('Better')
  expect(await received.receive('note:updated')).toMatchObject({ id: adas.id, body: 'Better' })

  const bens = (await write('By Ben')).body.data
  expect((await ask('DELETE', `/api/notes/${bens.id}`, undefined, world.ada.token)).status).toBe(204)
  expect(await received.receive('note:deleted')).toEqual({ id: bens.id, customer_id: world.carla.customer_id })
  expect((await ask('GET', `/api/notes/${bens.id}`)).status).toBe(404)
  socket.close()
})

test('an empty note, or one on a customer of another account, is refused', async () => {
  expect((await write('  ')).body.error.errors).toEqual({ body: ["can't be blank"] })
  expect((await write('x', randomUUID())).body.error.errors).toEqual({ customer_id: ['does not exist'] })
  const stranger = await write('x', world.carla.customer_id, world.olga.token)
  expect(stranger.body.error.errors).toEqual({ customer_id: ['does not exist'] })
  const id = (await write('Ours')).body.data.id
  expect((await ask('GET', `/api/notes/${id}`, undefined, world.olga.token)).status).toBe(404)
  expect((await ask('DELETE', `/api/notes/${id}`, undefined, world.olga.token)).status).toBe(404)
})
