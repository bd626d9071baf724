import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { createChange, type MakeChange } from './change.ts'
import { type Connection, connect } from './connection.ts'

let database: FreshDatabase
let db: Connection
let change: MakeChange

beforeAll(async () => {
  database = await freshDatabase()
  // One connection, so that every statement meets what the ones before it left there.
  db = connect(database.connection, pino({ level: 'silent' }), undefined, { most: 1 })
  change = createChange(db.kysely, { append: async () => [], publish: () => undefined })
  await sql`create table lamps (id int primary key, name text)`.execute(db.kysely)
  await sql`insert into lamps values (1, 'Brass')`.execute(db.kysely)
})

afterAll(async () => {
  await db.end()
  await database.drop()
})

const find = () =>
  change(async (open) => (await sql`select * from lamps where id = ${1} for update`.execute(open.db)).rows)

async function countKept() {
  const { rows } = await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(db.kysely)
  return rows[0]!.count
}

test('a statement that transactions send often is kept by the database; one that is only read is not', async () => {
  for (let i = 0; i < 60; i++) await find()
  expect(await countKept()).toBe(1)
  for (let i = 0; i < 60; i++) await sql`select name from lamps where id = ${1}`.execute(db.kysely)
  expect(await countKept()).toBe(1)
})

test('a kept statement whose columns a migration changed, or that a pooler lost, is sent in full again', async () => {
  for (let i = 0; i < 60; i++) await find()
  await sql`alter table lamps add column price int`.execute(db.kysely)
  expect(await find()).toEqual([{ id: 1, name: 'Brass', price: null }])

  const rename = () =>
    change(async (open) => void (await sql`update lamps set name = 'Steel' where id = ${1}`.execute(open.db)))
  for (let i = 0; i < 60; i++) await rename()
  await sql`deallocate all`.execute(db.kysely)
  await rename()
  expect(await find()).toMatchObject([{ name: 'Steel' }])
})

test('a transaction begins with its first statement, and one without any does nothing', async () => {
  await change(async () => undefined)
  const wrong = change(async (open) => {
    await sql`update lamps set name = 'Copper' where id = ${1}`.execute(open.db)
    await sql`select ${1}::int / 0`.execute(open.db)
  })
  await expect(wrong).rejects.toThrow('division by zero')
  await expect(change((open) => sql`select ${'x'}::int`.execute(open.db))).rejects.toThrow('invalid input syntax')
  expect(await find()).toMatchObject([{ name: 'Steel' }])
})

test('what is asked of the pool itself is answered, however often', async () => {
  await sql`create table shades (shade_hash text, name text)`.execute(db.kysely)
  const text = 'select name from shades where "shade_hash" = $1'
  for (let i = 0; i < 60; i++) expect((await db.pool.query(text, ['x'])).rows).toEqual([])
}, 10_000)
