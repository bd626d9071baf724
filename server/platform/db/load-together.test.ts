import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
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

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('concurrent look-ups are one statement, and each caller gets its own row', async () => {
  const statements: number[][] = []
  const loadLamp = loadTogether(async (reading, _account_id, ids: number[]) => {
    statements.push(ids)
    const { rows } = await sql<{ id: number }>`select id from lamps where id = any(${ids}::int[])`.execute(reading)
    return new Map(rows.map((row) => [row.id, row]))
  })
  const lamps = await Promise.all([3, 99, 1, 3].map((id) => loadLamp(db.kysely, 'acme', id)))
  expect(lamps).toEqual([{ id: 3 }, undefined, { id: 1 }, { id: 3 }])
  expect(statements).toEqual([[3, 99, 1]])
})

test('what is looked up while a statement is running is one further statement', async () => {
  // Only the end of the first statement ends the wait.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const first = Promise.withResolvers<void>()
  const statements: string[][] = []
  const find = findTogether(
    async (_: Db, names: string[]) => {
      if (statements.push(names) === 1) await first.promise
      return names.filter((name) => name !== 'nowhere').map((name) => ({ name }))
    },
    ({ name }) => name,
  )
  const lookups = [find(db.kysely, 'attic')]
  await nextTurn()
  await nextTurn()
  expect(statements).toEqual([['attic']])
  for (const name of ['hall', 'nowhere', 'cellar']) {
    lookups.push(find(db.kysely, name))
    await nextTurn()
  }
  expect(statements).toEqual([['attic']])
  first.resolve()
  expect(await Promise.all(lookups)).toEqual([{ name: 'attic' }, { name: 'hall' }, undefined, { name: 'cellar' }])
  expect(statements).toEqual([['attic'], ['hall', 'nowhere', 'cellar']])
})

test('a slow statement does not hold up the others', async () => {
  const find = findTogether(
    async (reading: Db, names: string[]) => {
      const seconds = names.includes('attic') ? 1 : 0
      const { rows } = await sql<{ name: string }>`
        select name from lamps, (select pg_sleep(${seconds})) wait where name = any(${names}::text[])`.execute(reading)
      return rows
    },
    ({ name }) => name,
  )
  const order: (string | undefined)[] = []
  const note = async (name: string) => void order.push((await find(db.kysely, name))?.name)
  const slow = note('attic')
  await nextTurn()
  await nextTurn()
  await note('hall')
  await slow
  expect(order).toEqual(['hall', 'attic'])
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
