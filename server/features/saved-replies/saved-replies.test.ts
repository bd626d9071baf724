import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const ask = (method: string, path = '', canned_response?: object, token = world.ben.token) =>
  server.request(method, `/api/canned_responses${path}`, { token, body: canned_response && { canned_response } })

test('a slash in the name is dropped, for it could never be typed after one', async () => {
  const { status, body } = await ask('POST', '', { name: '/thanks/a/lot', content: 'Thank you!' })
  expect(status).toBe(201)
  expect(body.data).toMatchObject({ object: 'canned_response', name: 'thanksalot', content: 'Thank you!' })
})

test('a name or content that says nothing is refused, and so is one that is taken', async () => {
  expect((await ask('POST', '', { name: ' / ', content: 'x' })).body.error.errors).toEqual({ name: ["can't be blank"] })
  expect((await ask('POST', '', { name: 'x' })).body.error.errors).toEqual({ content: ["can't be blank"] })
  await ask('POST', '', { name: 'twice', content: 'x' })
  expect((await ask('POST', '', { name: 'twice', content: 'y' })).body.error.errors).toEqual({
    name: ['has already been taken'],
  })
})

test('they are listed most recently updated first, changed and deleted', async () => {
  const first = (await ask('POST', '', { name: 'first', content: '1' })).body.data
  const second = (await ask('POST', '', { name: 'second', content: '2' })).body.data
  await ask('PUT', `/${first.id}`, { content: '1, newer' })
  const ids = async () => (await ask('GET')).body.data.map((one: { id: string }) => one.id)
  expect((await ids()).slice(0, 2)).toEqual([first.id, second.id])
  expect((await ask('DELETE', `/${second.id}`)).status).toBe(204)
  expect(await ids()).not.toContain(second.id)
  expect((await ask('DELETE', `/${second.id}`)).status).toBe(404)
})

test('another account finds none of them', async () => {
  const { id } = (await ask('POST', '', { name: 'ours', content: 'x' })).body.data
  expect((await ask('GET', '', undefined, world.olga.token)).body.data).toEqual([])
  for (const method of ['GET', 'DELETE'])
    expect((await ask(method, `/${id}`, undefined, world.olga.token)).status).toBe(404)
})
