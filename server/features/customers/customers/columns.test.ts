import { type Kysely, sql } from 'kysely'
import * as z from 'zod/mini'
import { IMPORT_FIELDS } from '#contract/customers/customer-imports.ts'
import { CustomerChanges } from '#contract/customers/customer-profiles.ts'
import { Customer, CustomerClaims } from '#contract/customers/customers.ts'
import { VisitorCustomer } from '#contract/customers/visitor-customer.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { expect, test } from '#tests/support/fixture.ts'
import { COLUMNS, columnsSetBy, columnsWhere } from './columns.ts'

const names = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

async function listColumns(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'customers'::regclass and attnum > 0 and not attisdropped order by attname collate "C"`.execute(db)
  return rows.map(({ name }) => name)
}

test('every column of customers says who sets it, who sees it, and what merging, exporting and erasing do', async ({
  server,
}) => {
  expect([...names].sort()).toEqual(await listColumns(server.context.db))
})

test('a column without an entry is noticed', async ({ server }) => {
  const undone = server.context.db.transaction().execute(async (trx) => {
    await sql`alter table customers add column shoe_size int`.execute(trx)
    throw new Error((await listColumns(trx)).filter((name) => !Object.hasOwn(COLUMNS, name)).join())
  })
  await expect(undone).rejects.toThrow('shoe_size')
})

test('browsers, the team and lists may send exactly the columns that they may set', () => {
  expect(Object.keys(CustomerClaims.shape).sort()).toEqual(columnsSetBy('browser').sort())
  const reported = columnsSetBy('browser').filter((name) => !('identity' in COLUMNS[name]) && name !== 'metadata')
  const byTeam = columnsSetBy('team').filter((name) => !(reported as string[]).includes(name))
  expect(Object.keys(CustomerChanges.shape).sort()).toEqual(byTeam.sort())
  expect([...IMPORT_FIELDS].sort()).toEqual(columnsSetBy('import').sort())
})

test('the shapes of a customer have the columns that the team and visitors see', () => {
  const derived = ['object', 'title', 'nickname']
  const read = [...columnsWhere('team', true), ...derived].sort()
  expect(Object.keys(Customer.shape).sort()).toEqual(read)
  expect(Object.keys(VisitorCustomer.shape).sort(), 'published clients expect the keys of a customer').toEqual(read)
  const hidden = Object.entries(VisitorCustomer.shape).filter(([, shape]) => {
    const object = z.safeParse(shape, { key: 'x' }).data
    return !z.safeParse(shape, 'x').success && !Object.hasOwn(Object(object), 'key')
  })
  const never = columnsWhere('visitor', 'never').filter((name) => 'team' in COLUMNS[name])
  expect(
    hidden
      .map(([name]) => name)
      .filter((name) => name !== 'object')
      .sort(),
  ).toEqual(never.sort())
})

test('everything that somebody says of a customer is erased with them', () => {
  const kept = names.filter((name) => COLUMNS[name].erase === 'kept')
  expect(kept.filter((name) => COLUMNS[name].set_by.length > 0)).toEqual([])
})
