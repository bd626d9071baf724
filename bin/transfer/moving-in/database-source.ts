import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { messageOf } from '#server/errors.ts'
import { CONNECT_MS } from '#server/platform/db/connection.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { quoted } from '../tables.ts'
import type { Tables } from './reader.ts'
import type { Source } from './source.ts'
import { createStaged, stagedName, validText } from './staging.ts'

/** A live database of another product. */
interface SourceDatabase {
  client: pg.Client
  /** Whether its texts may be invalid UTF-8. */
  isUnchecked: boolean
}

/**
 * Connects to a live database and begins a read-only transaction with one snapshot, so that all tables belong together
 * while others write to it.
 * @throws OperatorError if it cannot be reached
 */
export async function openDatabase(address: string, product: string): Promise<Source> {
  const client = new pg.Client({
    // Papercups' own settings call the protocol so.
    connectionString: address.replace(/^ecto:/, 'postgres:'),
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'parley import',
  })
  await client.connect().catch((error) => {
    throw new OperatorError(`The database of ${product} cannot be reached: ${messageOf(error)}`)
  })
  const source = { client, isUnchecked: await beginSnapshot(client) }
  return {
    description: `database of ${product}`,
    async stage(target, tables, counted) {
      const columns = await listColumns(client)
      await createStaged(target, tables)
      for (const table of Object.keys(tables)) await stageTable(source, target, table, tables, columns.get(table))
      const existing = counted.filter((table) => columns.has(table))
      const counts = new Map<string, number>()
      for (const table of existing) counts.set(table, await countRows(client, table))
      return { tables: new Set(columns.keys()), counts }
    },
    close: () => client.end(),
  }
}

/** @returns whether texts may be invalid UTF-8 */
async function beginSnapshot(client: pg.Client): Promise<boolean> {
  await client.query('begin transaction isolation level repeatable read, read only')
  // Rows in the order of the table: messages of one second have no other order.
  await client.query(
    `set local synchronize_seqscans = off; set local datestyle = 'ISO, MDY'; set local timezone = 'UTC'`,
  )
  const { rows } = await client.query<{ encoding: string }>(`select current_setting('server_encoding') as encoding`)
  const isUnchecked = rows[0]!.encoding === 'SQL_ASCII'
  if (!isUnchecked) await client.query(`set local client_encoding = 'UTF8'`)
  return isUnchecked
}

/** The columns of each of the source's tables. */
async function listColumns(client: pg.Client): Promise<Map<string, Set<string>>> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'`,
  )
  const tables = new Map<string, Set<string>>()
  for (const { table, column } of rows) tables.set(table, (tables.get(table) ?? new Set()).add(column))
  return tables
}

async function countRows(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from public."${table}"`)
  return Number(rows[0]!.count)
}

async function stageTable(
  { client, isUnchecked }: SourceDatabase,
  target: pg.Client,
  table: string,
  tables: Tables,
  existing: Set<string> | undefined,
): Promise<void> {
  const common = Object.keys(tables[table]!).filter((column) => existing?.has(column))
  if (common.length === 0) return
  const name = stagedName(table)
  const writing = target.query(copyFrom(`copy ${name} (${quoted(common)}) from stdin`))
  const reading = client.query(copyTo(`copy (select ${quoted(common)} from public."${table}") to stdout`))
  await (isUnchecked ? pipeline(reading, validText(), writing) : pipeline(reading, writing))
  await target.query(`analyze ${name}`)
}
