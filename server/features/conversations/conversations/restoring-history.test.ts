import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { conversations } from '#contract/conversations/conversations.ts'
import { search } from '#contract/conversations/search.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { inboxes } from '#contract/widget/inboxes.ts'
import { migrationsFolder } from '#server/platform/db/migrate.ts'
import { test as base, type Caller, type Callers, expect } from '#tests/support/fixture.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'
import { restoreHistory } from './restoring-history.ts'

const MIGRATION = '20261202T2000-history-returns.sql'
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
  /** Does what the upgrade of a database of an earlier version does; its table is there already. */
  .extend('upgrade', ({ server }) => async () => {
    const migration = await readFile(join(migrationsFolder, MIGRATION), 'utf8')
    const list = migration.slice(migration.indexOf('insert into'), migration.indexOf('drop index'))
    await sql.raw(list).execute(server.context.db)
    await restoreHistory(server.context.change)
  })
  .extend('isDeleted', ({ as }) => async (id: string) => {
    return (await as.ada(conversations.get, { params: { id } })).data.archived_at !== null
  })

const remove = (as: Callers, id: string) => as.ada(conversations.archive, { params: { id } })
const changeMany = (as: Callers, ids: string[], archived_at: string | null) =>
  as.ada(conversations.updateMany, { body: { ids, changes: { archived_at } } })

test('conversations that an earlier version archived because they were old are in every list again', async ({
  as,
  world,
  server,
  closeSomeDaysAgo,
  archiveStale,
  upgrade,
  isDeleted,
}) => {
  const inbox = (await as.ada(inboxes.create, { body: { inbox: { name: 'Returns' } } })).data
  const young = await closeSomeDaysAgo('a quick question', 13)
  const lamp = await closeSomeDaysAgo('lampshades', 20)
  const old = await closeSomeDaysAgo('wardrobes', 3 * 365)
  const moved = await closeSomeDaysAgo('doorbells', 20)
  const undone = await closeSomeDaysAgo('armchairs', 40)
  await as.ada(conversations.update, { params: { id: moved.id }, body: { conversation: { inbox_id: inbox.id } } })
  await sql`update conversations set updated_at = closed_at where id = ${moved.id}`.execute(server.context.db)
  await remove(as, undone.id)
  await as.ada(conversations.update, { params: { id: undone.id }, body: { conversation: { archived_at: null } } })
  await sql`update conversations set updated_at = closed_at where id = ${undone.id}`.execute(server.context.db)
  await sql`update audit_entries set created_at = ${daysAgo(39)} where subject_id = ${undone.id}`.execute(
    server.context.db,
  )
  const foreign = await closeSomeDaysAgo('curtains', 20, { account_id: world.other.id, who: as.olga })
  const before = await as.ada(conversations.unread)
  await archiveStale(daysAgo(2))
  await as.ada(conversations.removeInbox, { params: { id: inbox.id }, query: { move_to: world.website.id } })
  const all = [lamp, old, moved, undone]
  for (const { id } of all) expect(await isDeleted(id)).toBe(true)

  await upgrade()
  for (const { id } of [...all, young]) expect(await isDeleted(id)).toBe(false)
  const closed = (await as.ada(conversations.list, { query: { status: 'closed' } })).data.map(({ id }) => id)
  expect(closed).toEqual(expect.arrayContaining([...all, young].map(({ id }) => id)))
  const { data: hits } = await as.ada(search.find, { query: { q: 'wardrobes' } })
  expect(hits.map(({ conversation }) => conversation.id)).toContain(old.id)
  const { data: ofCustomer } = await as.ada(conversations.list, { query: { customer_id: old.customer_id } })
  expect(ofCustomer.map(({ id }) => id)).toEqual([old.id])
  const after = await as.ada(conversations.unread)
  expect(after.data.totals).toEqual({
    ...before.data.totals,
    inboxes: { ...before.data.totals.inboxes, [inbox.id]: undefined },
  })
  expect((await as.olga(conversations.list, { query: { status: 'closed' } })).data.map(({ id }) => id)).toContain(
    foreign.id,
  )
})

test('what people deleted stays deleted', async ({
  as,
  world,
  server,
  closeSomeDaysAgo,
  archiveStale,
  upgrade,
  isDeleted,
}) => {
  const single = await closeSomeDaysAgo('single', 20)
  const several = [await closeSomeDaysAgo('several', 20), await closeSomeDaysAgo('more', 300)]
  const twice = await closeSomeDaysAgo('twice', 20)
  const customer = await closeSomeDaysAgo('a customer', 20)
  const late = await closeSomeDaysAgo('late', 20)
  await remove(as, single.id)
  await changeMany(
    as,
    several.map(({ id }) => id),
    new Date().toISOString(),
  )
  const open = (await startConversation(server, await startVisitor(server, world.acme.id))).conversation_id
  await remove(as, open)
  await as.ada(customerProfiles.remove, { params: { id: customer.customer_id } })
  await archiveStale(daysAgo(2))
  // Earlier versions recorded the deletion of what had been archived already, too.
  await sql`insert into audit_entries (account_id, id, action, user_id, subject_id, details)
    select account_id, gen_random_uuid(), 'conversation.deleted', ${world.ada.id}, id, '{}'
    from conversations where id = ${twice.id}`.execute(server.context.db)
  expect(await isDeleted(late.id)).toBe(true)

  await upgrade()
  for (const { id } of [single, ...several, twice, customer, { id: open }]) expect(await isDeleted(id)).toBe(true)
  expect(await isDeleted(late.id)).toBe(false)
})

test('a customer who is deleted while history returns takes its conversations along', async ({
  as,
  server,
  closeSomeDaysAgo,
  archiveStale,
  isDeleted,
}) => {
  const { id, customer_id } = await closeSomeDaysAgo('nobody', 20)
  await archiveStale(daysAgo(2))
  await sql`insert into archived_by_age select account_id, id from conversations where id = ${id}`.execute(
    server.context.db,
  )
  await as.ada(customerProfiles.remove, { params: { id: customer_id } })
  await restoreHistory(server.context.change)
  expect(await isDeleted(id)).toBe(true)
  const { rows } = await sql`select * from archived_by_age`.execute(server.context.db)
  expect(rows).toEqual([])
})
