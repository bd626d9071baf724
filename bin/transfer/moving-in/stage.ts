import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { quoted } from '../tables.ts'

/** The name of the temporary table with the rows of a source's table. */
export function stagedName(table: string): string {
  return `old_${table}`
}

/** Where rows come from: a live database. */
export interface SourceDatabase {
  client: pg.Client
  /** Whether its texts may be invalid UTF-8. */
  isUnchecked: boolean
}

/**
 * Begins a read-only transaction on the source with one snapshot, so that all tables belong together while others
 * write to it.
 */
export async function openSource(client: pg.Client): Promise<SourceDatabase> {
  await client.query('begin transaction isolation level repeatable read, read only')
  // Rows in the order of the table: messages of one second have no other order.
  await client.query(
    `set local synchronize_seqscans = off; set local datestyle = 'ISO, MDY'; set local timezone = 'UTC'`,
  )
  const { rows } = await client.query<{ encoding: string }>(`select current_setting('server_encoding') as encoding`)
  const isUnchecked = rows[0]!.encoding === 'SQL_ASCII'
  if (!isUnchecked) await client.query(`set local client_encoding = 'UTF8'`)
  return { client, isUnchecked }
}

/** The columns of each table. */
export type Columns = Map<string, Set<string>>

/** The columns of each of the source's tables. */
export async function listColumns({ client }: SourceDatabase): Promise<Columns> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'`,
  )
  const tables = new Map<string, Set<string>>()
  for (const { table, column } of rows) tables.set(table, (tables.get(table) ?? new Set()).add(column))
  return tables
}

/**
 * Copies a table into a temporary one of the target with constant memory. Columns that the source lacks are null; `ord`
 * is the order of its rows.
 * @returns the number of rows
 */
export async function stageTable(
  source: SourceDatabase,
  target: pg.Client,
  table: string,
  columns: Record<string, string>,
  existing: Set<string> | undefined,
): Promise<number> {
  const name = stagedName(table)
  const definitions = Object.entries(columns).map(([column, type]) => `"${column}" ${type}`)
  await target.query(
    `create temporary table ${name} (ord bigint generated always as identity, ${definitions.join(', ')}) on commit drop`,
  )
  if (!existing) return 0
  const common = quoted(Object.keys(columns).filter((column) => existing.has(column)))
  const writing = target.query(copyFrom(`copy ${name} (${common}) from stdin`))
  const reading = source.client.query(copyTo(`copy (select ${common} from public."${table}") to stdout`))
  await (source.isUnchecked ? pipeline(reading, validText(), writing) : pipeline(reading, writing))
  await target.query(`analyze ${name}`)
  return writing.rowCount ?? 0
}

/** Replaces invalid UTF-8, which databases without an encoding may hold. */
function validText(): Transform {
  const decoder = new TextDecoder()
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      done(null, Buffer.from(decoder.decode(piece, { stream: true })))
    },
    flush(done) {
      done(null, Buffer.from(decoder.decode()))
    },
  })
}
