import { type Kysely, sql } from 'kysely'
import { features, integrations } from '#server/app.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { RETENTION } from '#server/retention.ts'
import { expect, test } from '#tests/support/fixture.ts'

const entries = Object.entries(RETENTION)

async function listTables(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by relname collate "C"`.execute(db)
  return rows.map(({ name }) => name)
}

test('every table of the database names what ends its rows', async ({ server }) => {
  expect(entries.map(([table]) => table).sort()).toEqual(await listTables(server.context.db))
})

test('what ends them exists: a schedule, or a reference by which the database deletes them', async ({ server }) => {
  const { rows } = await sql<{ pair: string }>`
    select conrelid::regclass || ' with ' || confrelid::regclass as pair from pg_constraint
    where contype = 'f' and confdeltype = 'c'`.execute(server.context.db)
  const cascades = new Set(rows.map(({ pair }) => pair))
  const schedules = new Set(
    [...features, ...integrations].flatMap(({ schedules = [] }) => schedules.map(({ name }) => name)),
  )
  const missing = entries.filter(([table, retention]) => {
    if ('with' in retention) return !cascades.has(`${table} with ${retention.with}`)
    return 'schedule' in retention && !schedules.has(retention.schedule)
  })
  expect(missing).toEqual([])
})

test('a table without an entry is noticed', async ({ server }) => {
  const undone = server.context.db.transaction().execute(async (trx) => {
    await sql`create table phone_calls (account_id uuid)`.execute(trx)
    const tables = await listTables(trx)
    throw new Error(tables.filter((name) => !Object.hasOwn(RETENTION, name)).join())
  })
  await expect(undone).rejects.toThrow(/^phone_calls$/)
})
