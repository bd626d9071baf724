import pg from 'pg'
import { createKeyring } from '#server/platform/crypto/keyring.ts'
import { CONNECT_MS, type ConnectionConfig } from '#server/platform/db/connection.ts'
import { apply, type Migration, preventMigrations } from '#server/platform/db/migrate.ts'
import { prepareSession } from '#server/platform/db/session.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { Log } from '#server/platform/log.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { type BackupFile, openBackup } from './backup-file.ts'
import { placeOtherConsumers } from './consumers.ts'
import { loadAll } from './load.ts'
import type { Progress } from './progress.ts'
import type { FutureKey } from './secret-key.ts'
import { type Removed, reencryptSecrets } from './secrets.ts'
import { assertNoServerRuns } from './servers.ts'
import { listTables, type Table } from './tables.ts'
import { isAt, pendingMigrations, recreateSchema, stepsOf } from './versions.ts'

interface Target {
  connection: ConnectionConfig
  files: FileStore
  log: Log
  progress: Progress
  /** Chooses the installation's key, given the one of a backup. */
  prepareKey(restored: string | undefined): Promise<FutureKey>
}

interface Imported {
  lines: number
  /** Checksum of the content. */
  sha256: string
  /** Names of files whose contents are missing. */
  missing: string[]
  removed: Removed
}

/**
 * Imports a file of `export`, from this version or an earlier one, into an empty installation: with the same ids, all
 * or nothing.
 * @throws OperatorError when there is data already, or the file is damaged or of a later version
 */
export async function importFrom(path: string, target: Target): Promise<Imported> {
  const file = await openBackup(path, target.progress)
  const steps = await stepsOf(file.opening.migrations)
  const key = await target.prepareKey(file.opening.secret_key)
  const client = new pg.Client({
    ...target.connection,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'parley import',
  })
  let imported: Imported
  try {
    await client.connect()
    await prepareSession(client)
    await client.query('begin')
    imported = await readInto(client, { path, file, steps, key: key.secretKey }, target)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    await key.discard()
    throw error
  } finally {
    await client.end()
  }
  await key.keep()
  return imported
}

interface Source {
  path: string
  file: BackupFile
  steps: Migration[]
  key: string
}

async function readInto(client: pg.Client, { path, file, steps, key }: Source, target: Target): Promise<Imported> {
  await preventMigrations(client)
  await assertEmpty(client)
  // Those that a server made here at its first start: the devices of the file are subscribed with those of the file.
  if (await isThere(client, 'push_keys')) await client.query('delete from push_keys')
  const keys = createKeyring(key, file.opening.secret_key)
  const isSame = await isAt(client, steps)
  if (!isSame || !(await hasKey(client, keys.id))) await assertNoServerRuns(client)
  if (!isSame) await recreateSchema(client, steps)
  const { lines, files } = await load(path, file, client, target)
  const removed = await reencryptSecrets(client, keys)
  return { lines, sha256: file.sha256(), removed, missing: await listMissing(client, target.files, files) }
}

/** Loads into the schema of the file, migrates that, and rebuilds derived tables. */
async function load(path: string, file: BackupFile, client: pg.Client, target: Target) {
  let setBack = await setAside(client, await listTables(client))
  const loaded = await loadAll(path, file, { ...target, client })
  target.progress.step = 'Everything was read; making the search indexes'
  const later = await pendingMigrations(client)
  if (later.length > 0) {
    await setBack()
    for (const step of later) await apply(client, step)
    setBack = await setAside(client, await listTables(client))
  }
  await placeOtherConsumers(client, loaded.consumers)
  await deriveAgain(client)
  await holdScheduled(client)
  await setBack()
  return loaded
}

/** Refuses a database with accounts, and locks out registrations. */
async function assertEmpty(client: pg.Client): Promise<void> {
  if (!(await isThere(client, 'accounts'))) return
  await client.query('lock table accounts in exclusive mode')
  const { rows } = await client.query('select 1 from accounts limit 1')
  if (rows.length > 0)
    throw new OperatorError(
      'This installation already has accounts. Import into an empty one: set another DATA_DIR or DATABASE_URL.',
    )
}

/** Whether no server of this installation has used another key. */
async function hasKey(client: pg.Client, key_id: string): Promise<boolean> {
  if (!(await isThere(client, 'installation'))) return true
  const { rows } = await client.query('select 1 from installation where key_id <> $1', [key_id])
  return rows.length === 0
}

async function isThere(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query('select to_regclass($1) is not null as "there"', [table])
  return rows[0].there
}

/** Files that the export found missing, or was made without: contents neither in the file nor in the store. */
async function listMissing(client: pg.Client, store: FileStore, loaded: Set<string>): Promise<string[]> {
  const { rows } = await client.query<{ key: string; filename: string }>('select key, filename from files order by key')
  const missing: string[] = []
  for (const { key, filename } of rows) {
    if (loaded.has(key)) continue
    const bytes = await store.get(key)
    bytes?.destroy()
    if (!bytes) missing.push(`${filename} (${key})`)
  }
  return missing
}

/** Disables triggers and drops search indexes until the end, because they are slow row by row. */
async function setAside(client: pg.Client, tables: Table[]): Promise<() => Promise<void>> {
  for (const { name } of tables) await client.query(`alter table "${name}" disable trigger user`)
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(c.oid) as definition from pg_class c join pg_am am on am.oid = c.relam
     where c.relkind = 'i' and am.amname = 'gin' and c.relnamespace = 'public'::regnamespace`,
  )
  for (const { name } of indexes) await client.query(`drop index "${name}"`)
  return async () => {
    // Rows that name others of their table were read in the order of their ids. Until that is checked, no table can be altered.
    await client.query('set constraints all immediate')
    for (const { definition } of indexes) await client.query(definition)
    for (const { name } of tables) await client.query(`alter table "${name}" enable trigger user`)
  }
}

/** The installation of the file may still run and send them: here a person decides, so that nothing is sent twice. */
async function holdScheduled(client: pg.Client): Promise<void> {
  await client.query(
    `update scheduled_messages set held_reason = 'restored', is_undo = false where held_reason is null`,
  )
}

/** Rebuilds derived tables from the records, and the sequences of ids. */
async function deriveAgain(client: pg.Client): Promise<void> {
  // Migrations after those of the file may have filled them.
  await client.query('truncate unread_counters, message_words, subject_words')
  await client.query(`
    insert into unread_counters (account_id, counter, slot, count)
    select c.account_id, counter, 0, count(*) from conversations c, conversation_counters_of(c) counter group by 1, 2`)
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
