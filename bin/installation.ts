import pg from 'pg'
import pino from 'pino'
import { type Config, ENV_FILE, loadEnvFile, readConfig } from '#server/config.ts'
import { readSecretKey, resolveDataFolder } from '#server/data-folder.ts'
import { assertEmbedded, assertOwnDatabase, readInstallationFile } from '#server/installation-file.ts'
import { assertSecretKey, missingKey } from '#server/platform/crypto/installation-key.ts'
import { createKeyring, type Keyring } from '#server/platform/crypto/keyring.ts'
import type { Db } from '#server/platform/db/change.ts'
import { CONNECT_MS, type ConnectionConfig, connect } from '#server/platform/db/connection.ts'
import { findDatabaseFolder } from '#server/platform/db/embedded/ownership.ts'
import { createJobs, type Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { reachDatabase } from './database.ts'

/** What a command works on. */
export interface Installation {
  config: Config
  connection: ConnectionConfig
  log: Log
}

type Work<Result> = (installation: Installation) => Promise<Result>

/** The settings of the server, from the environment and `.env`. */
export function readSettings(): { config: Config; log: Log } {
  loadEnvFile()
  return { config: readConfig(process.env), log: pino({ level: 'warn' }) }
}

/**
 * Runs a command on the installation of the settings, without creating anything. Links use the server's URL.
 * @throws OperatorError if there is no installation, or the server uses another database
 */
export async function withInstallation<Result>(work: Work<Result>): Promise<Result> {
  const { config, log } = readSettings()
  const folder = (config.databaseUrl ? undefined : await findDatabaseFolder(config.dataDir)) ?? config.dataDir
  const file = await readInstallationFile(folder)
  if (!config.databaseUrl) {
    assertEmbedded(folder, file)
    if (!(await findDatabaseFolder(config.dataDir))) throw noDatabase(config)
  }
  if (file && !config.isBaseUrlGiven) config.baseUrl = file.base_url
  return reach({ ...config, dataDir: folder }, log, async (installation) => {
    const client = new pg.Client({ ...installation.connection, connectionTimeoutMillis: CONNECT_MS })
    await client.connect()
    await assertOwnDatabase(client, file).finally(() => client.end())
    return work(installation)
  })
}

/** Runs a command that may be the first on an installation, and creates its data folder and embedded database. */
export async function withNewInstallation<Result>(work: Work<Result>): Promise<Result> {
  const { config: settings, log } = readSettings()
  if (!settings.databaseUrl) assertEmbedded(settings.dataDir, await readInstallationFile(settings.dataDir))
  return reach(await resolveDataFolder(settings, log), log, work)
}

function noDatabase({ dataDir }: Config): OperatorError {
  return new OperatorError(
    `There is no database in ${dataDir}, and DATABASE_URL is not set. Commands need the settings of the server (DATA_DIR, DATABASE_URL, SECRET_KEY …): put them into ${ENV_FILE}, which both read, or pass them in the environment.`,
  )
}

async function reach<Result>(config: Config, log: Log, work: Work<Result>): Promise<Result> {
  const { connection, release } = await reachDatabase(config, log)
  releaseOnSignal(release)
  try {
    return await work({ config, connection, log })
  } finally {
    await release()
  }
}

/**
 * Stops a database that was started for the command when a signal ends it. Then the signal takes its default effect:
 * `process.exit` would wait for a file that is being opened or read, such as a pipe without a writer.
 */
function releaseOnSignal(release: () => Promise<void>) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      console.error('Stopped before it was complete.')
      void release().finally(() => process.kill(process.pid, signal))
    })
  }
}

/** Runs work that needs transactions, with a pool that is closed afterwards. Jobs run on a server, once there is one. */
export async function withDb<Result>(
  { connection, log }: Installation,
  work: (db: Db, jobs: Jobs) => Promise<Result>,
): Promise<Result> {
  const { kysely, pool, end } = connect(connection, log)
  try {
    return await work(kysely, createJobs({ pool, log }))
  } finally {
    await end()
  }
}

/**
 * The secret key with which the database is encrypted, so that no command writes or stores anything with another one.
 * @throws OperatorError if it is missing, or another one
 */
export async function openKey(config: Config, db: Db): Promise<{ secretKey: string; keys: Keyring }> {
  const secretKey = await readSecretKey(config)
  if (!secretKey) throw missingKey(config.dataDir)
  const keys = createKeyring(secretKey, config.previousSecretKey)
  await assertSecretKey(db, keys)
  return { secretKey, keys }
}
