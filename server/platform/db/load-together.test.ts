import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import type { Db } from './change.ts'
import { type Connection, connect } from './connection.ts'
import { findTogether, loadTogether } from './load-together.ts'

let database: FreshDatabase
let db: Connection

beforeAll(async () => {
  database = await freshDatabase()
  db = connect(database.connection, pino({ level: 'silent' }))
  await sql`create table lamps (id int primary key, name text not null)`.execute(db.kysely)
  await sql`insert into lamps values (1, 'attic'), (2, 'hall'), (3, 'cellar'), (4, 'porch')`.execute(db.kysely)
})

afterAll(async () => {
  await db.end()
  await database.drop()
})

/** Finds lamps by name, and counts the statements. A statement that looks for `slow` takes as many seconds. */
function createFinder(slow?: { name: string; seconds: number }) {
  const statements: string[][] = []
  const find = findTogether(
    async (reading: Db, names: string[]) => {
      statements.push(names)
      const seconds = slow && names.includes(slow.name) ? slow.seconds : 0
      const { rows } = await sql<{ id: number; name: string }>`
        select id, name from lamps, (select pg_sleep(${seconds})) wait where name = any(${names}::text[])`.execute(
        reading,
      )
      return rows
    },
    ({ name }) => name,
  )
  return { statements, find: async (name: string) => (await find(db.kysely, name))?.id }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('concurrent look-ups are one statement, and each caller gets its own row', async () => {
  const statements: number[][] = []
  const loadLamp = loadTogether(async (reading, _account_id, ids: number[]) => {
    statements.push(ids)
    const { rows } = await sql<{ id: number }>`select id from lamps where id = any(${ids}::int[])`.execute(reading)
    return new Map(rows.map((row) => [row.id, row]))
  })
  const found = await Promise.all([3, 99, 1, 3].map((id) => loadLamp(db.kysely, 'acme', id)))
  expect(found).toEqual([{ id: 3 }, undefined, { id: 1 }, { id: 3 }])
  expect(statements).toEqual([[3, 99, 1]])
})

test('what is looked up while a statement is running is one further statement', async () => {
  const { statements, find } = createFinder()
  const found = [find('attic')]
  await nextTurn()
  await nextTurn()
  expect(statements).toEqual([['attic']])
  for (const name of ['hall', 'nowhere', 'cellar']) {
    found.push(find(name))
    await nextTurn()
  }
  expect(await Promise.all(found)).toEqual([1, 2, undefined, 3])
  expect(statements).toEqual([['attic'], ['hall', 'nowhere', 'cellar']])
})

test('a slow statement does not hold up the others', async () => {
  const { find } = createFinder({ name: 'attic', seconds: 1 })
  const order: (number | undefined)[] = []
  const slow = find('attic').then((id) => order.push(id))
  await nextTurn()
  await nextTurn()
  await find('hall').then((id) => order.push(id))
  await slow
  expect(order).toEqual([2, 1])
})

test('a failed statement fails only its own callers', async () => {
  let isBroken = true
  const find = findTogether(
    async (reading: Db, names: string[]) => {
      const table = sql.table(isBroken ? 'no_lamps' : 'lamps')
      isBroken = false
      const { rows } = await sql<{ name: string }>`select name from ${table} where name = any(${names})`.execute(
        reading,
      )
      return rows
    },
    ({ name }) => name,
  )
  const failed = expect(find(db.kysely, 'attic')).rejects.toThrow('no_lamps')
  await nextTurn()
  await nextTurn()
  expect(await find(db.kysely, 'hall')).toEqual({ name: 'hall' })
  await failed
})
