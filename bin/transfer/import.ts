import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { messageOf } from '#server/errors.ts'
import type { ConnectionConfig } from '#server/platform/db/connection.ts'
import { migrate, migrationsFolder, readMigrations } from '#server/platform/db/migrate.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { Log } from '#server/platform/log.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { FOLLOWERS, insertFollowers, UNFOLLOWED } from './followers.ts'
import { JOBS, makeQueues } from './jobs.ts'
import { linesOf } from './lines.ts'
import { listTables, quoted, quotedTable, type Table } from './tables.ts'

/** Rows that travel to the database together. */
const BATCH = 300

interface Target {
  connection: ConnectionConfig
  files: FileStore
  log: Log
  /** Hears of the key that came with a backup. */
  keepSecret(secret_key: string): Promise<void>
}

interface Opening {
  migrations: string[]
  secret_key?: string
}

/**
 * Reads what `export` wrote into an empty installation: the same ids, all or nothing.
 * @throws OperatorError when something is there already, or the file cannot be read or was written by another version
 */
export async function importFrom(path: string, target: Target): Promise<{ lines: number }> {
  await migrate(target.connection, target.log)
  const client = new pg.Client({ ...target.connection, statement_timeout: 0, application_name: 'parley import' })
  await client.connect()
  try {
    await client.query('begin')
    await refuseFull(client)
    const tables = await listTables(client)
    const restore = await setAside(client, tables)
    const lines = await readLines(path, tables, client, target)
    await deriveAgain(client)
    await restore()
    await client.query('commit')
    return { lines }
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    await client.end()
  }
}

async function refuseFull(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select 1 from accounts limit 1')
  if (rows.length > 0)
    throw new OperatorError(
      'There are accounts here already. Import into an empty installation: set another DATA_DIR or DATABASE_URL.',
    )
}

/** Triggers and the indexes of search cost more row by row than at the end. */
async function setAside(client: pg.Client, tables: Table[]): Promise<() => Promise<void>> {
  for (const { name } of tables) await client.query(`alter table "${name}" disable trigger user`)
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(c.oid) as definition from pg_class c join pg_am am on am.oid = c.relam
     where c.relkind = 'i' and am.amname = 'gin' and c.relnamespace = 'public'::regnamespace`,
  )
  for (const { name } of indexes) await client.query(`drop index "${name}"`)
  return async () => {
    for (const { definition } of indexes) await client.query(definition)
    for (const { name } of tables) await client.query(`alter table "${name}" enable trigger user`)
  }
}

async function readLines(path: string, tables: Table[], client: pg.Client, target: Target): Promise<number> {
  const writing = { table: undefined as Table | undefined, rows: [] as string[] }
  const file = { key: '', content_type: '', pieces: [] as Buffer[] }
  const queues = new Set<string>()
  let lines = 0

  const flushRows = async () => {
    const { table, rows } = writing
    if (table === JOBS) await prepareFor(rows, queues, target)
    if (table === FOLLOWERS) await insertFollowers(client, rows)
    else if (table && rows.length > 0) await insert(client, table, rows)
    writing.rows = []
  }
  const flushFile = async () => {
    if (file.key) await target.files.put(file.key, Buffer.concat(file.pieces), file.content_type)
    file.pieces = []
  }
  for await (const line of linesOf(unzip(path))) {
    if (lines++ === 0) {
      await open(line, target)
    } else if (line.startsWith('["')) {
      const name = line.slice(2, line.indexOf('"', 2))
      if (name !== writing.table?.name || writing.rows.length >= BATCH) await flushRows()
      if (name !== writing.table?.name) writing.table = find([...tables, UNFOLLOWED, FOLLOWERS, JOBS], name)
      writing.rows.push(line.slice(name.length + 4, -1))
    } else {
      const [head, bytes] = JSON.parse(line) as [{ file: string; content_type: string }, string]
      if (head.file !== file.key) {
        await flushFile()
        Object.assign(file, { key: head.file, content_type: head.content_type })
      }
      file.pieces.push(Buffer.from(bytes, 'base64'))
    }
  }
  await flushRows()
  await flushFile()
  return lines
}

/** Also a file that is not there, or ends too early, is told of here. */
async function* unzip(path: string): AsyncGenerator<Buffer> {
  try {
    yield* pipeline(createReadStream(path), createGunzip(), () => undefined)
  } catch (error) {
    throw new OperatorError(`Nothing was imported: ${path} cannot be read to its end (${messageOf(error)}).`)
  }
}

async function open(line: string, { keepSecret }: Target): Promise<void> {
  const { migrations, secret_key } = parseOpening(line)
  const ours = (await readMigrations(migrationsFolder)).map(({ name }) => name)
  if (migrations.join() !== ours.join()) {
    throw new OperatorError(
      'This file was written by another version of Parley. Import it with that version, then update.',
    )
  }
  if (secret_key) await keepSecret(secret_key)
}

function parseOpening(line: string): Opening {
  try {
    const opening = JSON.parse(line)
    if (Array.isArray(opening?.migrations)) return opening
  } catch {
    // Told below, as for any other file.
  }
  throw new OperatorError('This is no file that `npm run parley -- export` wrote.')
}

function find(tables: Table[], name: string): Table {
  const table = tables.find((one) => one.name === name)
  if (!table) throw new OperatorError(`The file holds records of "${name}", which this version does not know.`)
  return table
}

async function prepareFor(jobs: string[], queues: Set<string>, { connection, log }: Target): Promise<void> {
  // Written by us, so the first name is the job's own.
  const names = new Set(jobs.map((job) => /"name":"([^"]+)"/.exec(job)?.[1] ?? ''))
  const missing = [...names].filter((name) => !queues.has(name))
  if (missing.length > 0) await makeQueues(connection, log, missing)
  for (const name of missing) queues.add(name)
}

async function insert(client: pg.Client, { name, columns }: Table, rows: string[]): Promise<void> {
  const list = quoted(columns)
  const table = quotedTable(name)
  await client.query(
    `insert into ${table} (${list}) overriding system value select ${list} from json_populate_recordset(null::${table}, $1::json)`,
    [`[${rows.join(',')}]`],
  )
}

/** What the database keeps beside the records, made anew from them, and the counters that give out the next number. */
async function deriveAgain(client: pg.Client): Promise<void> {
  await client.query(`
    insert into unread_counters (account_id, counter, slot, count)
    select c.account_id, counter, 0, count(*) from conversations c, unread_counters_of(c) counter group by 1, 2`)
  await client.query(`
    insert into message_words (account_id, message_id, conversation_id, user_id, customer_id, created_at, words)
    select m.account_id, m.id, m.conversation_id, m.user_id, m.customer_id, m.created_at, words_of(m.body)
    from messages m join conversations c on c.account_id = m.account_id and c.id = m.conversation_id
    where c.archived_at is null`)
  await client.query(`
    insert into subject_words (account_id, conversation_id, words)
    select account_id, id, words_of(subject) from conversations where subject is not null`)
  const { rows } = await client.query<{ sequence: string; table: string; column: string }>(`
    select pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence, table_name as table, column_name as column
    from information_schema.columns where table_schema = 'public' and is_identity = 'YES'`)
  for (const { sequence, table, column } of rows) {
    await client.query(`select setval($1, greatest(coalesce((select max("${column}") from "${table}"), 0), 1))`, [
      sequence,
    ])
  }
}
