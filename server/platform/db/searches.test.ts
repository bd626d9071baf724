import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { type Connection, connect } from './connection.ts'
import { createSearches } from './searches.ts'

let database: FreshDatabase
let connection: Connection
beforeAll(async () => {
  database = await freshDatabase()
  const use = { name: 'searches', maxConnections: 4, seconds: 0.3 }
  connection = connect(database.connection, pino({ level: 'silent' }), undefined, use)
})
afterAll(async () => {
  await connection.end()
  await database.drop()
})

test('a search that takes too long is cancelled by the database, with an explanation', async () => {
  const searches = createSearches(connection.kysely)
  const slow = searches.run('acme', (db) => sql`select pg_sleep(60)`.execute(db))
  await expect(slow).rejects.toMatchObject({ status: 503, reason: 'too_slow' })
})

test('the searches of one account never delay those of another', async () => {
  const searches = createSearches(connection.kysely)
  const { promise, resolve } = Promise.withResolvers<void>()
  let running = 0
  const many = Array.from({ length: 12 }, () =>
    searches.run('acme', async () => {
      running++
      await promise
    }),
  )
  expect(await searches.run('other', async (db) => (await sql`select 1`.execute(db)).rows)).toHaveLength(1)
  expect(running).toBe(2)
  resolve()
  await Promise.all(many)
  expect(running).toBe(12)
})
