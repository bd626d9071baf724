import { type AddressInfo, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { CONNECT_MS, type Connection, connect } from './connection.ts'

let database: FreshDatabase
let db: Connection

beforeAll(async () => {
  database = await freshDatabase()
  db = connect(database.connection, pino({ level: 'silent' }))
})

afterAll(async () => {
  await db.end()
  await database.drop()
})

async function read<T>(expression: string): Promise<T> {
  const { rows } = await sql<{ value: T }>`SELECT ${sql.raw(expression)} AS value`.execute(db.kysely)
  return rows[0]!.value
}

test.each([
  ["'2026-11-21 09:00:00+00'::timestamptz", '2026-11-21T09:00:00.000Z'],
  ["'2026-11-21 16:00:00.123456+07'::timestamptz", '2026-11-21T09:00:00.123Z'],
  ["'2026-11-21 09:00:00.5+00'::timestamptz", '2026-11-21T09:00:00.500Z'],
  ["'2026-11-21'::date", '2026-11-21'],
  ['null::timestamptz', null],
  ['9007199254740991::bigint', Number.MAX_SAFE_INTEGER],
  ['count(*)', 1],
  ['12.50::numeric', 12.5],
  ['\'{"a": [1, "ă"]}\'::jsonb', { a: [1, 'ă'] }],
  ["array['2026-11-21 09:00:00+00'::timestamptz, null]", ['2026-11-21T09:00:00.000Z', null]],
  ['array[1, 2]::bigint[]', [1, 2]],
  ["array['a', 'b c']", ['a', 'b c']],
  ["'42'::xid8", '42'],
])('%s arrives as %j', async (expression, expected) => {
  expect(await read(expression)).toEqual(expected)
})

test('sessions use UTC, and a statement may take fifteen seconds', async () => {
  expect(await read("current_setting('TimeZone')")).toBe('UTC')
  expect(await read("current_setting('statement_timeout')")).toBe('15s')
  expect(await read("current_setting('idle_in_transaction_session_timeout')")).toBe('30s')
})

test('a lost connection, even inside a transaction, fails only that call', async () => {
  const cut = db.kysely.transaction().execute(async (trx) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(trx)
    await sql`SELECT pg_terminate_backend(${rows[0]!.pid})`.execute(db.kysely)
    await new Promise((wait) => setTimeout(wait, 100))
    await sql`SELECT 1`.execute(trx)
  })
  await expect(cut).rejects.toThrow()
  expect(await read('1')).toBe(1)
})

test('when the pool of an unresponsive database is aborted, pending and later queries fail', async () => {
  const lines: Socket[] = []
  const silent = createServer((line) => lines.push(line))
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
  const { port } = silent.address() as AddressInfo
  const cut = connect({ host: '127.0.0.1', port, user: 'a', database: 'a' }, pino({ level: 'silent' }))
  // More than the pool has connections, so that some queue for one.
  const queries = Array.from({ length: 50 }, () =>
    sql`SELECT 1`.execute(cut.kysely).catch((error: Error) => error.message),
  )
  await expect.poll(() => lines.length).toBeGreaterThan(1)
  const started = performance.now()
  cut.abort()
  const later = sql`SELECT 1`.execute(cut.kysely).catch((error: Error) => error.message)
  expect([...new Set(await Promise.all([...queries, later]))]).toEqual(['Connection terminated unexpectedly'])
  // Connecting may take ten seconds, and so may each query queued behind it.
  expect(performance.now() - started).toBeLessThan(CONNECT_MS)
  for (const line of lines) line.destroy()
  silent.close()
})
