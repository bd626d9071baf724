import { PassThrough, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { messageOf } from '#server/errors.ts'
import { CONNECT_MS } from '#server/platform/db/connection.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { quoted } from '../tables.ts'
import { noteRepair, type Source, type Staged } from './source.ts'
import { createStaged, stagedName } from './staging.ts'
import { validText } from './valid-text.ts'

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
  const isUnchecked = await beginSnapshot(client)
  return {
    async stage(target, tables, counted, onProgress) {
      const sizes = await listTables(client)
      const names = Object.keys(tables).filter((table) => sizes.has(table))
      const total = names.reduce((sum, table) => sum + sizes.get(table)!.bytes, 0)
      const staged: Staged = { tables: new Set(sizes.keys()), counts: new Map(), repaired: new Map() }
      await createStaged(target, tables)
      let done = 0
      for (const table of names) {
        const { columns, bytes } = sizes.get(table)!
        const check = isUnchecked ? validText((rows) => noteRepair(staged, table, rows)) : new PassThrough()
        let read = 0
        check.on('data', (piece) => {
          read += piece.length
          onProgress((done + Math.min(read, bytes)) / total)
        })
        await stageTable(
          client,
          target,
          table,
          Object.keys(tables[table]!).filter((name) => columns.has(name)),
          check,
        )
        done += bytes
      }
      for (const table of [...names, ...counted]) {
        if (sizes.has(table)) staged.counts.set(table, await countRows(client, table))
      }
      return staged
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
  // A database without an encoding refuses to send what is invalid in another one.
  await client.query(`set local client_encoding = '${isUnchecked ? 'SQL_ASCII' : 'UTF8'}'`)
  return isUnchecked
}

/** Each of the source's tables, with its columns and its size. */
async function listTables(client: pg.Client): Promise<Map<string, { columns: Set<string>; bytes: number }>> {
  const { rows } = await client.query<{ table: string; columns: string[]; bytes: string }>(
    `select c.relname as table, pg_table_size(c.oid) as bytes, array(
       select attname::text from pg_attribute a where a.attrelid = c.oid and attnum > 0 and not attisdropped) as columns
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')`,
  )
  return new Map(rows.map(({ table, columns, bytes }) => [table, { columns: new Set(columns), bytes: Number(bytes) }]))
}

async function countRows(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from public."${table}"`)
  return Number(rows[0]!.count)
}

async function stageTable(
  client: pg.Client,
  target: pg.Client,
  table: string,
  columns: string[],
  check: Transform,
): Promise<void> {
  if (columns.length === 0) return
  const name = stagedName(table)
  const writing = target.query(copyFrom(`copy ${name} (${quoted(columns)}) from stdin`))
  const reading = client.query(copyTo(`copy (select ${quoted(columns)} from public."${table}") to stdout`))
  await pipeline(reading, check, writing)
  await target.query(`analyze ${name}`)
}
