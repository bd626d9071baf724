import type pg from 'pg'
import { messageOf } from '#server/errors.ts'
import type { ConnectionConfig } from '#server/platform/db/connection.ts'
import { checkKey, type FileStore } from '#server/platform/files/file-store.ts'
import { type JobQueue, ORDERED } from '#server/platform/jobs/queues.ts'
import type { Log } from '#server/platform/log.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { type BackupFile, type Counts, damaged, FILES_WITH_BYTES, type Line } from './backup-file.ts'
import { CONSUMERS, placeConsumers, UNREAD_EVENTS } from './consumers.ts'
import { JOBS, makeQueues } from './jobs.ts'
import { listTables, quoted, quotedTable, type Table } from './tables.ts'

/** Rows per INSERT. */
const BATCH = 300

/** Where records and files are written. */
interface Destination {
  client: pg.Client
  connection: ConnectionConfig
  files: FileStore
  log: Log
}

interface Batch {
  table: Table
  rows: string[]
  /** Number of the first line. */
  first: number
}

interface Bytes {
  key: string
  content_type: string
  pieces: Buffer[]
}

/** Number of lines, keys of the files with contents, and the consumers with positions. */
interface Loaded {
  lines: number
  files: Set<string>
  consumers: string[]
}

/**
 * Loads a file into existing empty tables, in the open transaction of `client`, and contents of files into the store.
 * @throws OperatorError naming the invalid line, or what is missing at the end
 */
export async function loadAll(path: string, file: BackupFile, to: Destination): Promise<Loaded> {
  const tables = [...(await listTables(to.client)), UNREAD_EVENTS, CONSUMERS, JOBS]
  const queues = new Set<string>()
  const counts: Counts = {}
  const consumers: string[] = []
  const keys = new Set<string>()
  let lines = 1
  let batch: Batch | undefined
  let bytes: Bytes | undefined

  async function flush() {
    if (batch) await insertBatch(path, batch, to, queues)
    if (bytes) await to.files.put(bytes.key, Buffer.concat(bytes.pieces), bytes.content_type)
    batch = undefined
    bytes = undefined
  }
  async function loadRecord({ number, text }: Line) {
    const name = text.slice(2, text.indexOf('"', 2))
    const table = tables.find((candidate) => candidate.name === name)
    if (!table) throw damaged(path, number, `it has a record of "${name}", which this version does not know`)
    if (batch?.table !== table || batch.rows.length >= BATCH) await flush()
    batch ??= { table, rows: [], first: number }
    const row = text.slice(name.length + 4, -1)
    batch.rows.push(row)
    if (table === CONSUMERS) consumers.push(/"name":"([^"]+)"/.exec(row)?.[1] ?? '')
    counts[name] = (counts[name] ?? 0) + 1
  }
  async function loadPiece(line: Line) {
    const { head, piece } = parsePiece(path, line)
    if (head.file !== bytes?.key) {
      await flush()
      bytes = { key: head.file, content_type: head.content_type, pieces: [] }
      keys.add(head.file)
    }
    bytes!.pieces.push(Buffer.from(piece, 'base64'))
  }

  for await (const line of file.lines) {
    lines = line.number
    if (line.text.startsWith('["')) await loadRecord(line)
    else await loadPiece(line)
  }
  await flush()
  assertFilesPresent(path, file.counts(), { ...counts, [FILES_WITH_BYTES]: keys.size })
  return { lines: lines + (file.counts() ? 1 : 0), files: keys, consumers }
}

function parsePiece(path: string, { number, text }: Line) {
  try {
    const [head, piece] = JSON.parse(text) as [{ file: string; content_type: string }, string]
    checkKey(head.file)
    return { head, piece }
  } catch (error) {
    throw damaged(path, number, messageOf(error))
  }
}

/** Inserts rows one by one after a batch has failed, so that the error names the line. */
async function insertBatch(path: string, batch: Batch, to: Destination, queues: Set<string>): Promise<void> {
  const { table, rows, first } = batch
  const { client } = to
  if (table === JOBS) await prepareFor(rows, queues, to)
  const write = table === CONSUMERS ? placeConsumers : (of: pg.Client, records: string[]) => insert(of, table, records)
  await client.query('savepoint batch')
  try {
    return await write(client, rows)
  } catch (error) {
    if (!isAboutData(error)) throw error
  }
  await client.query('rollback to savepoint batch')
  for (const [at, row] of rows.entries()) {
    await write(client, [row]).catch((error) => {
      throw damaged(path, first + at, messageOf(error))
    })
  }
}

/** PostgreSQL's codes for invalid values (22…) and violated constraints (23…). */
function isAboutData(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code))
}

async function prepareFor(jobs: string[], queues: Set<string>, { connection, log }: Destination): Promise<void> {
  const missing = new Map<string, JobQueue>()
  for (const job of jobs) {
    const { name, policy } = JSON.parse(job) as { name: string; policy: string | null }
    if (!queues.has(name)) missing.set(name, { name, isOrdered: policy === ORDERED })
  }
  if (missing.size > 0) await makeQueues(connection, log, [...missing.values()])
  for (const name of missing.keys()) queues.add(name)
}

async function insert(client: pg.Client, { name, columns }: Table, rows: string[]): Promise<void> {
  const list = quoted(columns)
  const table = quotedTable(name)
  await client.query(
    `insert into ${table} (${list}) overriding system value select ${list} from json_populate_recordset(null::${table}, $1::json)`,
    [`[${rows.join(',')}]`],
  )
}

function assertFilesPresent(path: string, expected: Counts | undefined, actual: Counts): void {
  for (const [name, count] of Object.entries(expected ?? {})) {
    if (count === (actual[name] ?? 0)) continue
    throw new OperatorError(
      `Nothing was imported: ${path} should hold ${count} records of "${name}", and ${actual[name] ?? 0} were found.`,
    )
  }
}
