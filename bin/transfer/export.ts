import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { CONNECT_MS, type ConnectionConfig } from '#server/platform/db/connection.ts'
import { prepareSession } from '#server/platform/db/session.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { type Counts, FILES_WITH_BYTES, FORMAT, type Opening } from './backup-file.ts'
import { CONSUMERS, UNREAD_EVENTS } from './consumers.ts'
import { JOBS } from './jobs.ts'
import { linesOf } from './lines.ts'
import type { Progress } from './progress.ts'
import { listTables, quoted, quotedTable, type Table } from './tables.ts'

/** Bytes of a file per line; a line has to fit into memory. */
const PIECE = 192 * 1024

export interface Source {
  connection: ConnectionConfig
  files: FileStore
  /** The importing installation needs it to decrypt values. */
  secret_key?: string | undefined
  progress: Progress
}

interface Exported {
  lines: number
  /** Checksum of the lines, without the first. */
  sha256: string
  /** Names of files whose contents are missing in the store. */
  missing: string[]
}

/**
 * Writes all data into one compressed file: a line with the version that wrote it, then one line per record, table by
 * table in key order, pending jobs, contents of files, and a last line with all counts and a checksum. It is a consistent
 * snapshot while the server runs. Equal contents give equal lines, so two exports can be compared by checksum.
 */
export async function exportTo(path: string, source: Source): Promise<Exported> {
  const client = new pg.Client({
    ...source.connection,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'parley export',
  })
  await client.connect()
  const sum = createHash('sha256')
  const missing: string[] = []
  const { progress } = source
  function count(line: string): string {
    progress.lines++
    // The key is only part of backups and is no content.
    if (!line.startsWith('{"parley"')) sum.update(line).update('\n')
    return `${line}\n`
  }
  async function* counted() {
    const counts: Counts = {}
    for await (const line of allLines(client, source, { counts, missing })) yield count(line)
    yield count(JSON.stringify({ end: counts, sha256: sum.copy().digest('hex') }))
  }
  const half = `${path}.part`
  try {
    // The time zone or date style of the database must not change the output.
    await prepareSession(client)
    await client.query('begin isolation level repeatable read read only')
    // The remains of an interrupted export keep their permissions, so they are not reused.
    await rm(half, { force: true })
    const output = createWriteStream(half, { mode: 0o600, flags: 'wx', flush: true })
    await pipeline(Readable.from(counted()), createGzip({ level: 4 }), output)
    await client.query('commit')
    await rename(half, path)
  } catch (error) {
    await rm(half, { force: true }).catch(() => undefined)
    throw error
  } finally {
    await client.end()
  }
  return { lines: progress.lines, sha256: sum.digest('hex'), missing }
}

/** All lines but the last one, with whose contents it fills `counts` and `missing`. */
async function* allLines(
  client: pg.Client,
  { files, secret_key }: Source,
  { counts, missing }: { counts: Counts; missing: string[] },
): AsyncGenerator<string> {
  // The database's own migrations, which this version may not have completed yet.
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  const opening: Opening = { parley: FORMAT, migrations: rows.map(({ name }) => name), secret_key }
  yield JSON.stringify(opening)
  const tables = await listTables(client)
  const jobs = (await hasJobs(client)) ? [JOBS] : []
  for (const table of [...tables, UNREAD_EVENTS, CONSUMERS, ...jobs]) {
    for await (const record of recordsOf(client, table)) {
      counts[table.name] = (counts[table.name] ?? 0) + 1
      yield record
    }
  }
  counts[FILES_WITH_BYTES] = yield* bytesOf(client, files, missing)
}

/** The queues are created when the first server starts. */
async function hasJobs(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`select to_regclass('${JOBS.name}') is not null as "there"`)
  return rows[0].there
}

/** `["tags",{…}]`. PostgreSQL writes the JSON; COPY doubles its backslashes. */
async function* recordsOf(client: pg.Client, table: Table): AsyncGenerator<string> {
  const { name, columns, key, only = 'true', from = quotedTable(name) } = table
  const rows = client.query(
    copyTo(
      `copy (select row_to_json(r) from (
         select ${quoted(columns)} from ${from} where ${only} order by ${quoted(key)}
       ) r) to stdout`,
    ),
  )
  for await (const row of linesOf(rows)) {
    yield `["${name}",${row.replaceAll('\\\\', '\\')}]`
  }
}

/** `[{"file":key,"content_type":…},"base64"]`, one line per piece. Returns the number of files. */
async function* bytesOf(client: pg.Client, store: FileStore, missing: string[]): AsyncGenerator<string, number> {
  const { rows } = await client.query<{ key: string; content_type: string; filename: string }>(
    'select key, content_type, filename from files order by key',
  )
  for (const { key, content_type, filename } of rows) {
    const bytes = await store.get(key)
    if (!bytes) {
      missing.push(`${filename} (${key})`)
      continue
    }
    for await (const piece of inPieces(bytes)) {
      yield JSON.stringify([{ file: key, content_type }, piece.toString('base64')])
    }
  }
  return rows.length - missing.length
}

/** Cuts into equal pieces, whatever chunks the store delivers. */
async function* inPieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let remainder = Buffer.alloc(0)
  for await (const chunk of bytes) {
    remainder = Buffer.concat([remainder, chunk])
    for (; remainder.length >= PIECE; remainder = remainder.subarray(PIECE)) yield remainder.subarray(0, PIECE)
  }
  yield remainder
}
