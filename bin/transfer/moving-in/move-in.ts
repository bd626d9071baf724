import { createWriteStream } from 'node:fs'
import pg from 'pg'
import { unknownPassword } from '#server/features/accounts/auth-sessions/passwords.ts'
import type { Keyring } from '#server/platform/crypto/keyring.ts'
import { CONNECT_MS, type ConnectionConfig } from '#server/platform/db/connection.ts'
import { preventMigrations } from '#server/platform/db/migrate.ts'
import { prepareSession } from '#server/platform/db/session.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { assertNoServerRuns } from '../servers.ts'
import type { MoveOptions, Reader, Step } from './reader.ts'
import { type TableCounts, writeSetAside } from './set-aside.ts'
import type { Source } from './source.ts'
import { writeWorkList } from './work-list.ts'

/** People who are invited during a trial get numbers far behind those of the source, which grow meanwhile. */
const FREE_NUMBERS = 100_000

/** Files that a move writes. */
export interface MovePaths {
  /** Rows that are not moved. */
  leftovers: string
  /** Bodies that were cut, to be attached whole; and files whose bytes are to be copied: work for after the move. */
  longBodies: string
  files: string
}

interface Move {
  connection: ConnectionConfig
  keys: Keyring
  paths: MovePaths
  options: MoveOptions
  say(line: string): void
}

export interface Moved {
  counts: TableCounts[]
  leftOut: { table: string; count: number; advice: string }[]
  account_ids: string[]
}

/**
 * Moves all rows of a product into an installation in one transaction: all or nothing, and as often as wanted. It sends
 * nothing, because nothing is announced.
 * @throws OperatorError if the installation holds other accounts, or a server is running
 */
export async function moveIn(reader: Reader, source: Source, move: Move): Promise<Moved> {
  const client = new pg.Client({
    ...move.connection,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'parley import',
  })
  try {
    await client.connect()
    await prepareSession(client)
    await client.query('begin')
    await preventMigrations(client)
    await assertNoServerRuns(client)
    const moved = await moveWithin(client, reader, source, move)
    await client.query(move.options.isDryRun ? 'rollback' : 'commit')
    return moved
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    await client.end()
  }
}

async function moveWithin(client: pg.Client, reader: Reader, source: Source, move: Move): Promise<Moved> {
  const { keys, paths, options, say } = move
  const step: Step = { client, keys, options }
  const { tables, counts } = await source.stage(client, reader.tables, Object.keys(reader.leftOut))
  assertIsProduct(reader, tables)
  await reader.prepare?.(step)
  await assertOnlyAccounts(client, reader)
  await convert(client, reader, say)
  await reader.finish?.(step)
  const file = createWriteStream(paths.leftovers)
  const set = await writeSetAside(client, reader, file).finally(() => new Promise((resolve) => file.end(resolve)))
  // One after another: a cut body may have any length.
  await writeWorkList(client, reader.queries.longBodies, paths.longBodies, 1)
  await writeWorkList(client, reader.queries.files, paths.files)
  const { rows: accounts } = await client.query<{ id: string }>(
    `select id from accounts where id in (${reader.queries.accounts})`,
  )
  const leftOut = [...counts].map(([table, count]) => ({ table, count, advice: reader.leftOut[table]! }))
  return {
    counts: set,
    leftOut: leftOut.filter(({ count }) => count > 0),
    account_ids: accounts.map(({ id }) => id),
  }
}

function assertIsProduct({ name, required }: Reader, tables: Set<string>): void {
  if (required.every((table) => tables.has(table))) return
  const names = required.map((table) => `"${table}"`).join(' and ')
  throw new OperatorError(`This is no database of ${name}: it has no tables ${names}.`)
}

async function assertOnlyAccounts(client: pg.Client, { name, queries }: Reader): Promise<void> {
  await client.query('lock table accounts in exclusive mode')
  const { rows } = await client.query<{ company_name: string }>(
    `select company_name from accounts where id not in (${queries.accounts}) order by created_at limit 1`,
  )
  if (rows.length > 0) {
    throw new OperatorError(
      `This installation has the company "${rows[0]!.company_name}", which is not in the ${name} database. Move into an installation without companies: set another DATA_DIR or DATABASE_URL.`,
    )
  }
}

async function convert(client: pg.Client, { conversions, queries }: Reader, say: Move['say']): Promise<void> {
  // For people without a password. Hashing is slow, so all of them get the same one, which nobody knows.
  await client.query(`select set_config('parley.unknown_password', $1, true)`, [await unknownPassword()])
  for (const { table, sql } of conversions) {
    const started = Date.now()
    const { rowCount } = await client.query(sql)
    await client.query(`analyze "${table}"`)
    if (rowCount)
      say(`  ${table}: ${rowCount.toLocaleString('en')} rows in ${((Date.now() - started) / 1000).toFixed(1)} s`)
  }
  await client.query(
    `select setval(pg_get_serial_sequence('users', 'id'), greatest((${queries.largestUserNumber}) + ${FREE_NUMBERS}, (select max(id) from users), 1))`,
  )
}
