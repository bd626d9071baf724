import { createWriteStream } from 'node:fs'
import pg from 'pg'
import { unknownPassword } from '#server/features/accounts/auth-sessions/passwords.ts'
import { CONNECT_MS, type ConnectionConfig } from '#server/platform/db/connection.ts'
import { preventMigrations } from '#server/platform/db/migrate.ts'
import { prepareSession } from '#server/platform/db/session.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { assertNoServerRuns } from '../servers.ts'
import { type Check, type TableCounts, writeSetAside } from './set-aside.ts'
import { stagedName } from './stage.ts'

/** Texts longer than this are cut, and attached whole as a file: the search index cannot hold their words. */
export const LONG_BODY = 500_000
export const CUT_BODY = 50_000
/** People who are invited during a trial get numbers far behind those of the source, which grow meanwhile. */
const FREE_NUMBERS = 100_000

/** A product that people move from. */
export interface Product {
  name: string
  /** Stages its rows in temporary tables of the client. */
  stage(client: pg.Client): Promise<void>
  conversions: { table: string; sql: string }[]
  /** What SQL alone cannot do, in the same transaction. */
  finish(client: pg.Client): Promise<void>
  checks: Check[]
}

interface Options {
  connection: ConnectionConfig
  /** Where rows that are not moved are written. */
  leftovers: string
  /** Only reports what would be moved. */
  isDryRun: boolean
  say(line: string): void
}

interface MoveResult {
  counts: TableCounts[]
  account_ids: string[]
  /** Texts that were cut; to be attached whole. */
  long: { account_id: string; message_id: string; body: string }[]
}

/**
 * Moves all rows of a product into an installation in one transaction: all or nothing, and as often as wanted. It sends
 * nothing, because nothing is announced.
 * @throws OperatorError if the installation holds other accounts, or a server is running
 */
export async function moveIn(product: Product, { connection, leftovers, isDryRun, say }: Options): Promise<MoveResult> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'parley import',
  })
  const file = createWriteStream(leftovers)
  try {
    await client.connect()
    await prepareSession(client)
    await client.query('begin')
    await preventMigrations(client)
    await assertNoServerRuns(client)
    await product.stage(client)
    await assertOnlyAccount(client, product)
    await convert(client, product, say)
    await product.finish(client)
    const counts = await writeSetAside(client, product.checks, file)
    const { rows: accounts } = await client.query<{ id: string }>(
      `select id from accounts where id in (select id from ${stagedName('accounts')})`,
    )
    const { rows: long } = await client.query<MoveResult['long'][number]>(
      `select m.account_id, m.id as message_id, o.body from ${stagedName('messages')} o join messages m on m.id = o.id
       where length(o.body) > ${LONG_BODY} and not exists (select from message_files f where f.account_id = m.account_id and f.message_id = m.id)`,
    )
    await client.query(isDryRun ? 'rollback' : 'commit')
    return { counts, account_ids: isDryRun ? [] : accounts.map(({ id }) => id), long: isDryRun ? [] : long }
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    await new Promise((resolve) => file.end(resolve))
    await client.end()
  }
}

async function assertOnlyAccount(client: pg.Client, { name }: Product): Promise<void> {
  await client.query('lock table accounts in exclusive mode')
  const { rows } = await client.query<{ company_name: string }>(
    `select company_name from accounts where id not in (select id from ${stagedName('accounts')}) order by created_at limit 1`,
  )
  if (rows.length > 0) {
    throw new OperatorError(
      `This installation has the company "${rows[0]!.company_name}", which is not in the ${name} database. Move into an installation without companies: set another DATA_DIR or DATABASE_URL.`,
    )
  }
}

async function convert(client: pg.Client, { conversions }: Product, say: Options['say']): Promise<void> {
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
    `select setval(pg_get_serial_sequence('users', 'id'), greatest((select max(id) from ${stagedName('users')}) + ${FREE_NUMBERS}, (select max(id) from users), 1))`,
  )
}
