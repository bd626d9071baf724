import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { ConnectionConfig } from '#server/platform/db/connection.ts'
import { migrationsFolder, readMigrations } from '#server/platform/db/migrate.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { FOLLOWERS, UNFOLLOWED } from './followers.ts'
import { JOBS } from './jobs.ts'
import { linesOf } from './lines.ts'
import { listTables, quoted, quotedTable, type Table } from './tables.ts'

/** Bytes of a file on one line; a line is what has to fit into memory. */
const PIECE = 192 * 1024

export interface Source {
  connection: ConnectionConfig
  files: FileStore
  /** With it, what was encrypted with it can be read on the other side. */
  secret_key?: string | undefined
}

/**
 * Writes everything people keep into one compressed file: a line saying which version wrote it, then one line per
 * record, table by table in the order of their keys, the work that waits, then the bytes of files. All of it as it was at
 * one moment, while the server goes on. The same content makes the same lines, so two exports can be compared by their
 * sum.
 * @returns the number of lines and their SHA-256
 */
export async function exportTo(path: string, source: Source): Promise<{ lines: number; sha256: string }> {
  const client = new pg.Client({ ...source.connection, statement_timeout: 0, application_name: 'parley export' })
  await client.connect()
  const sum = createHash('sha256')
  let lines = 0
  async function* counted() {
    for await (const line of allLines(client, source)) {
      lines++
      // The key stands in backups only and says nothing of the content.
      if (!line.startsWith('{"parley"')) sum.update(line).update('\n')
      yield `${line}\n`
    }
  }
  try {
    await client.query('begin isolation level repeatable read read only')
    // Times of a database elsewhere are to look the same.
    await client.query(`set local timezone = 'UTC'`)
    const half = `${path}.part`
    await pipeline(Readable.from(counted()), createGzip({ level: 4 }), createWriteStream(half, { mode: 0o600 }))
    await client.query('commit')
    await rename(half, path)
  } finally {
    await client.end()
  }
  return { lines, sha256: sum.digest('hex') }
}

async function* allLines(client: pg.Client, { files, secret_key }: Source): AsyncGenerator<string> {
  const names = (await readMigrations(migrationsFolder)).map(({ name }) => name)
  yield JSON.stringify({ parley: 1, migrations: names, secret_key })
  const tables = await listTables(client)
  for (const table of [...tables, UNFOLLOWED, FOLLOWERS]) yield* recordsOf(client, table)
  if (await hasJobs(client)) yield* recordsOf(client, JOBS)
  if (tables.some(({ name }) => name === 'files')) yield* bytesOf(client, files)
}

/** The first server to start makes the queues. */
async function hasJobs(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`select to_regclass('${JOBS.name}') is not null as "there"`)
  return rows[0].there
}

/** `["tags",{…}]`. The database writes the JSON; COPY doubles its backslashes. */
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

/** `[{"file":key,"content_type":…},"base64"]`, one line for each piece. */
async function* bytesOf(client: pg.Client, store: FileStore): AsyncGenerator<string> {
  const { rows } = await client.query<{ key: string; content_type: string }>(
    'select key, content_type from files order by key',
  )
  for (const { key, content_type } of rows) {
    const bytes = await store.get(key)
    if (!bytes) continue
    for await (const piece of inPieces(bytes)) {
      yield JSON.stringify([{ file: key, content_type }, piece.toString('base64')])
    }
  }
}

/** However the store cuts a stream, the pieces are alike. */
async function* inPieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  for await (const chunk of bytes) {
    rest = Buffer.concat([rest, chunk])
    for (; rest.length >= PIECE; rest = rest.subarray(PIECE)) yield rest.subarray(0, PIECE)
  }
  yield rest
}
