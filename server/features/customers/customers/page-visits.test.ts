import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers, PAGE_VISITS_KEPT } from '#contract/customers/customers.ts'
import { test as base, type Caller, expect } from '#tests/support/fixture.ts'
import { startConversation, startVisitor, type VisitorInWorld } from '#tests/support/world.ts'

const listVisits = (id: string, who: Caller) => who(customers.pageVisits, { params: { id } })

const test = base
  .extend('go', ({ as }) => ({ customer_id: id, token }: VisitorInWorld, page: string) => {
    const metadata = { current_url: `https://shop.test/${page}` }
    return as.holder(token)(customers.updateMetadata, { params: { id }, body: { metadata } })
  })
  .extend('pagesOf', ({ as }) => async (id: string) => {
    const { data } = await listVisits(id, as.ada)
    return data.map(({ url }) => url.slice('https://shop.test/'.length))
  })

test('page visits of a customer with a conversation are recorded in order, each once', async ({
  as,
  world,
  server,
  go,
  pagesOf,
}) => {
  const visitor = await startVisitor(server, world.acme.id)
  await go(visitor, 'before')
  await startConversation(server, visitor)
  for (const page of ['lamps', 'lamps', 'desks', 'lamps']) await go(visitor, page)
  expect(await pagesOf(visitor.customer_id)).toEqual(['lamps', 'desks', 'lamps'])
  const { data } = await listVisits(visitor.customer_id, as.ada)
  expect(Date.now() - Date.parse(data.at(-1)!.created_at)).toBeLessThan(60_000)
})

test('only the newest are kept', async ({ world, server, go, pagesOf }) => {
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

test('only the team reads them: neither the customer nor another account does', async ({ as, world }) => {
  const { customer_id } = world.carla
  await expect(listVisits(customer_id, as.carla)).rejects.toMatchObject({ status: 401 })
  await expect(listVisits(customer_id, as.anybody)).rejects.toMatchObject({ status: 401 })
  await expect(listVisits(customer_id, as.olga)).rejects.toMatchObject({ status: 404 })
})

test('page visits move with a merge, and back when it is undone', async ({ as, world, server, go, pagesOf }) => {
  const [one, other] = [await startVisitor(server, world.acme.id), await startVisitor(server, world.acme.id)]
  for (const [visitor, page] of [
    [one, 'one'],
    [other, 'other'],
  ] as const) {
    await startConversation(server, visitor)
    await go(visitor, page)
  }
  await as.ada(customerProfiles.merge, { params: { id: one.customer_id }, body: { customer_id: other.customer_id } })
  expect(await pagesOf(one.customer_id)).toEqual(['one', 'other'])
  await as.ada(customerProfiles.unmerge, { params: { id: one.customer_id } })
  expect([await pagesOf(one.customer_id), await pagesOf(other.customer_id)]).toEqual([['one'], ['other']])
})

test('the page visits of a deleted customer are deleted', async ({ as, world, server, go }) => {
  const visitor = await startVisitor(server, world.acme.id)
  await startConversation(server, visitor)
  await go(visitor, 'secret')
  await as.ada(customerProfiles.remove, { params: { id: visitor.customer_id } })
  const rows = await server.context.db
    .selectFrom('page_visits')
    .select('url')
    .where('customer_id', '=', visitor.customer_id)
    .execute()
  expect(rows).toEqual([])
})
