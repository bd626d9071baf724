import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import pg from 'pg'
import type { Log } from '../log.ts'
import { OperatorError } from '../operator-error.ts'
import { BASELINE, countBaseline, isReplaced } from './baseline.ts'
import { CONNECT_MS, type ConnectionConfig } from './connection.ts'
import { adviceForOperator, describeError } from './problems.ts'
import { prepareSession } from './session.ts'

/** One migration, a file in `migrations/`. */
export interface Migration {
  name: string
  sql: string
  sha256: string
}

/** Folder with the migrations of this version of Parley. */
export const migrationsFolder = resolve(import.meta.dirname, 'migrations')

/** An arbitrary number, the same on every server: the advisory lock of migrating. */
const LOCK = 5_150_924

/**
 * Brings the database to this version: runs every new file of `folder` in the order of names, each in a transaction of
 * its own. Servers that start at the same time wait for each other. Throws OperatorError when the database is of a
 * version before 0.3.0, when an applied file has changed or is missing, or when one fails.
 */
export async function migrate(config: ConnectionConfig, log: Log, folder = migrationsFolder): Promise<void> {
  const migrations = await readMigrations(folder)
  const client = new pg.Client({
    ...config,
    application_name: 'parley migrations',
    connectionTimeoutMillis: CONNECT_MS,
  })
  // An ended connection fails its queries; an unhandled `error` event would also end the process.
  client.on('error', () => undefined)
  await client.connect().catch((error: Error) => {
    throw new OperatorError(
      adviceForOperator(error) ?? `The database cannot be reached: ${describeError(error)}. Is DATABASE_URL right?`,
    )
  })
  try {
    await prepareSession(client)
    await lockMigrations(client, log)
    await adoptBaseline(client, migrations)
    const applied = await readApplied(client)
    assertUnchanged(migrations, applied)
    if (applied.size === 0) log.info('Creating the tables')
    for (const migration of migrations.filter(({ name }) => !applied.has(name))) {
      await applyInTransaction(client, migration)
      // For a new database the single migrations are not worth a log line.
      if (applied.size > 0) log.info(`Migrated the database: ${migration.name}`)
    }
  } finally {
    await client.end()
  }
}

/** Servers that start at the same time wait for each other, and say so. */
async function lockMigrations(client: pg.Client, log: Log): Promise<void> {
  const { rows } = await client.query<{ is_locked: boolean }>('SELECT pg_try_advisory_lock($1) AS is_locked', [LOCK])
  if (rows[0]!.is_locked) return
  log.info('Another server or command is migrating the database: waiting until it has ended')
  await client.query('SELECT pg_advisory_lock($1)', [LOCK])
}

/**
 * Records the baseline in a database of 0.3.0, which has its tables. The rows of the single migrations stay, so that
 * servers of 0.3.0 that still run count as ready.
 */
async function adoptBaseline(client: pg.Client, migrations: Migration[]): Promise<void> {
  const applied = (await readRows(client)).map(({ name }) => name)
  const names = countBaseline(applied)
  if (!names) {
    throw new OperatorError(
      'The database is of a version before 0.3.0: upgrade to 0.3.0 first, then to this version. Nothing was changed.',
    )
  }
  const baseline = migrations.find(({ name }) => name === BASELINE)
  if (!baseline || !names.includes(BASELINE) || applied.includes(BASELINE)) return
  await record(client, baseline)
}

/** All migrations in order. The checksum does not depend on the line endings of a checkout. */
export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      if (!/^\d{8}T\d{4}-[a-z0-9-]+\.sql$/.test(name)) {
        throw new OperatorError(`The migration ${name} has an invalid name: use the form 20261127T0900-companies.sql.`)
      }
      const sql = (await readFile(resolve(folder, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** For readiness: the names of migrations that the database still lacks. */
export async function migrationState(pool: pg.Pool, folder = migrationsFolder): Promise<{ pending: string[] }> {
  const { rows } = await pool.query<{ name: string }>('SELECT name FROM migrations')
  const applied = new Set(rows.map(({ name }) => name))
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return { pending: names.filter((name) => !applied.has(name)) }
}

/** Blocks migrations until the transaction of `client` ends. */
export async function preventMigrations(client: pg.Client): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
}

/** Checksum by name of every applied migration, without those that the baseline has replaced. */
export async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  const rows = await readRows(client)
  return new Map(rows.filter(({ name }) => !isReplaced(name)).map(({ name, sha256 }) => [name, sha256]))
}

async function readRows(client: pg.Client): Promise<{ name: string; sha256: string }[]> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
  )
  return (await client.query<{ name: string; sha256: string }>('SELECT name, sha256 FROM migrations')).rows
}

async function record(client: pg.Client, { name, sha256 }: Migration): Promise<void> {
  await client.query('INSERT INTO migrations (name, sha256) VALUES ($1, $2)', [name, sha256])
}

function assertUnchanged(migrations: Migration[], applied: Map<string, string>): void {
  for (const [name, sha256] of applied) {
    const file = migrations.find((migration) => migration.name === name)
    if (!file) {
      throw new OperatorError(
        `The database was migrated by ${name}, which this version of Parley does not include: start the newer version, or restore an older backup.`,
      )
    }
    if (file.sha256 !== sha256) {
      throw new OperatorError(
        `The migration ${name} was changed after it had been applied: restore the file, and write a new migration for further changes.`,
      )
    }
  }
}

async function applyInTransaction(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('BEGIN')
    await apply(client, migration)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/**
 * Runs one migration in the open transaction.
 * @throws OperatorError when it fails
 */
export async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const { name, sql } = migration
  try {
    await client.query(sql)
    await record(client, migration)
  } catch (error) {
    const { position } = error as pg.DatabaseError
    const line = position ? ` (line ${sql.slice(0, Number(position)).split('\n').length})` : ''
    throw new OperatorError(`The migration ${name} failed and was rolled back: ${describeError(error)}${line}.`)
  }
}
