import { afterAll, beforeAll, expect, test } from 'vitest'
import { PAGE_VISITS_KEPT } from '#contract/customers.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, startConversation, startVisitor, type VisitorInWorld, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const go = ({ customer_id, token }: VisitorInWorld, page: string) =>
  server.request('PUT', `/api/customers/${customer_id}/metadata`, {
    token,
    body: { metadata: { current_url: `https://shop.test/${page}` } },
  })
const ask = (id: string, token?: string) => server.request('GET', `/api/customers/${id}/page_visits`, { token })
const pagesOf = async (id: string) =>
  (await ask(id, world.ada.token)).body.data.map(({ url }: { url: string }) => url.slice('https://shop.test/'.length))

test('the pages of a customer who has a conversation are remembered in order, each move once', async () => {
  const visitor = await startVisitor(server, world.acme.id)
  await go(visitor, 'before')
  await startConversation(server, visitor)
  for (const page of ['lamps', 'lamps', 'desks', 'lamps']) await go(visitor, page)
  expect(await pagesOf(visitor.customer_id)).toEqual(['lamps', 'desks', 'lamps'])
  const { body } = await ask(visitor.customer_id, world.ada.token)
  expect(Date.now() - Date.parse(body.data.at(-1).created_at)).toBeLessThan(60_000)
})

test('only the newest are kept', async () => {
  const visitor = await startVisitor(server, world.acme.id)
  await startConversation(server, visitor)
  for (let i = 0; i < PAGE_VISITS_KEPT + 3; i++) await go(visitor, `${i}`)
  const pages = await pagesOf(visitor.customer_id)
  expect([pages.length, pages[0], pages.at(-1)]).toEqual([PAGE_VISITS_KEPT, '3', `${PAGE_VISITS_KEPT + 2}`])
  const rows = await server.context.db
    .selectFrom('page_visits')
    .select('url')
    .where('customer_id', '=', visitor.customer_id)
    .execute()
  expect(rows).toHaveLength(PAGE_VISITS_KEPT)
})

test('they are the team’s: neither the customer nor another account reads them', async () => {
  const { customer_id, token } = world.carla
  expect((await ask(customer_id, token)).status).toBe(401)
  expect((await ask(customer_id)).status).toBe(401)
  expect((await ask(customer_id, world.olga.token)).status).toBe(404)
})

test('whoever becomes part of another brings their pages along, and takes them back', async () => {
  const [one, other] = [await startVisitor(server, world.acme.id), await startVisitor(server, world.acme.id)]
  for (const [visitor, page] of [
    [one, 'one'],
    [other, 'other'],
  ] as const) {
    await startConversation(server, visitor)
    await go(visitor, page)
  }
  const path = `/api/customers/${one.customer_id}`
  const { token } = world.ada
  await server.request('POST', `${path}/merge`, { token, body: { customer_id: other.customer_id } })
  expect(await pagesOf(one.customer_id)).toEqual(['one', 'other'])
  await server.request('POST', `${path}/unmerge`, { token })
  expect([await pagesOf(one.customer_id), await pagesOf(other.customer_id)]).toEqual([['one'], ['other']])
})

test('a customer who is deleted leaves no trace of where they were', async () => {
  const visitor = await startVisitor(server, world.acme.id)
  await startConversation(server, visitor)
  await go(visitor, 'secret')
  await server.request('DELETE', `/api/customers/${visitor.customer_id}`, { token: world.ada.token })
  const rows = await server.context.db
    .selectFrom('page_visits')
    .select('url')
    .where('customer_id', '=', visitor.customer_id)
    .execute()
  expect(rows).toEqual([])
})
