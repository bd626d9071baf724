import { sql } from 'kysely'
import { conversations } from '#contract/conversations/conversations.ts'
import { search } from '#contract/conversations/search.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { test as base, type Caller, expect } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'
import { restoreHistory } from './restoring-history.ts'

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

const test = base
  /** A conversation about `about`, closed some days ago. Returns its id. */
  .extend('closeSomeDaysAgo', ({ as, world, server }) => {
    return async (about: string, days: number, { account_id = world.acme.id, who = as.ada as Caller } = {}) => {
      const visitor = await startVisitor(server, account_id, { name: about })
      const { conversation_id: id } = await startConversation(server, visitor, `History of ${about}`)
      await who(conversations.update, { params: { id }, body: { conversation: { status: 'closed', read: true } } })
      const at = daysAgo(days)
      await sql`update conversations set closed_at = ${at}, last_activity_at = ${at}, updated_at = ${at}
        where account_id = ${account_id} and id = ${id}`.execute(server.context.db)
      return { id, customer_id: visitor.customer_id }
    }
  })
  /** What the hourly job of earlier versions did. */
  .extend('archiveStale', ({ server }) => async (at: string) => {
    await sql`update conversations set archived_at = ${at} where (account_id, id) in (
      select account_id, id from conversations where archived_at is null and status = 'closed'
        and closed_at < ${at}::timestamptz - interval '14 days' limit 500)`.execute(server.context.db)
  })
  /** Lists conversations as the upgrade to 0.3.0 did. */
  .extend('list', ({ server }) => async (...ids: string[]) => {
    await sql`insert into archived_by_age select account_id, id from conversations where id = any (${ids})`.execute(
      server.context.db,
    )
  })
  .extend('isDeleted', ({ as }) => async (id: string) => {
    return (await as.ada(conversations.get, { params: { id } })).data.archived_at !== null
  })

test('conversations that an earlier version archived because they were old are in every list again', async ({
  as,
  world,
  closeSomeDaysAgo,
  archiveStale,
  list,
  isDeleted,
  server,
}) => {
  const lamp = await closeSomeDaysAgo('lampshades', 20)
  const old = await closeSomeDaysAgo('wardrobes', 3 * 365)
  const foreign = await closeSomeDaysAgo('curtains', 20, { account_id: world.other.id, who: as.olga })
  const deleted = await closeSomeDaysAgo('deleted by a person', 13)
  await as.ada(conversations.archive, { params: { id: deleted.id } })
  const before = await as.ada(conversations.unread)
  await archiveStale(daysAgo(2))
  for (const { id } of [lamp, old]) expect(await isDeleted(id)).toBe(true)
  await list(lamp.id, old.id, foreign.id)

  await restoreHistory(server.context.change)
  for (const { id } of [lamp, old]) expect(await isDeleted(id)).toBe(false)
  expect(await isDeleted(deleted.id)).toBe(true)
  const closed = (await as.ada(conversations.list, { query: { status: 'closed' } })).data.map(({ id }) => id)
  expect(closed).toEqual(expect.arrayContaining([lamp.id, old.id]))
  const { data: hits } = await as.ada(search.find, { query: { q: 'wardrobes' } })
  expect(hits.map(({ conversation }) => conversation.id)).toContain(old.id)
  const { data: ofCustomer } = await as.ada(conversations.list, { query: { customer_id: old.customer_id } })
  expect(ofCustomer.map(({ id }) => id)).toEqual([old.id])
  expect((await as.ada(conversations.unread)).data.totals).toEqual(before.data.totals)
  expect((await as.olga(conversations.list, { query: { status: 'closed' } })).data.map(({ id }) => id)).toContain(
    foreign.id,
  )
})

test('a customer who is deleted while history returns takes its conversations along', async ({
  as,
  server,
  closeSomeDaysAgo,
  archiveStale,
  list,
  isDeleted,
}) => {
  const { id, customer_id } = await closeSomeDaysAgo('nobody', 20)
  await archiveStale(daysAgo(2))
  await list(id)
  await as.ada(customerProfiles.remove, { params: { id: customer_id } })
  await restoreHistory(server.context.change)
  expect(await isDeleted(id)).toBe(true)
  const { rows } = await sql`select * from archived_by_age`.execute(server.context.db)
  expect(rows).toEqual([])
})
