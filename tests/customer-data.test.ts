import { type Kysely, sql } from 'kysely'
import { features, integrations } from '#server/app.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { expect, test } from '#tests/support/fixture.ts'

const data = [...features, ...integrations].flatMap(({ customerData = [] }) => customerData)

/** Tables with data of customers, by the catalogue: a column with that name or their hash (`reader`), or a reference. */
async function tablesOfCustomers(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and (
      c.oid = 'customers'::regclass
      or exists (select from pg_attribute a where a.attrelid = c.oid and (a.attname like '%customer_id' or a.attname = 'reader') and not a.attisdropped)
      or exists (select from pg_constraint r where r.contype = 'f' and r.conrelid = c.oid and r.confrelid = 'customers'::regclass))
    order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

test('every table with data of customers is declared by one feature', async ({ server }) => {
  expect(data.map(({ table }) => table).sort()).toEqual(await tablesOfCustomers(server.context.db))
})

test('a new table that refers to customers is noticed, whatever its column is called', async ({ server }) => {
  const undone = server.context.db.transaction().execute(async (trx) => {
    await sql`create table visits (account_id uuid, guest uuid, foreign key (account_id, guest) references customers)`.execute(
      trx,
    )
    await sql`create table calls (account_id uuid, customer_id uuid)`.execute(trx)
    const tableNames = await tablesOfCustomers(trx)
    throw new Error(tableNames.filter((name) => !data.some(({ table }) => table === name)).join())
  })
  await expect(undone).rejects.toThrow('calls,visits')
})

test('merges and exports name each declared table uniquely', () => {
  const notes = data.flatMap(({ merge }) => ('recordedAs' in merge ? [merge.recordedAs] : []))
  expect(notes).toEqual([
    'browser_session_ids',
    'conversation_ids',
    'note_ids',
    'tag_ids',
    'session_ids',
    'external_identity_ids',
    'issue_ids',
  ])
  const parts = data.flatMap(({ export: part }) => ('as' in part ? [part.as] : []))
  expect(new Set(parts).size).toBe(parts.length)
})
