import pg from 'pg'
import type { Log } from '../log.ts'
import { NAME, prepareCluster } from './embedded/cluster.ts'
import { installEngine } from './embedded/engine.ts'
import { clearLeftovers } from './embedded/leftovers.ts'
import { type Listening, listenOnLoopback, listenOnSocket, removeSocket } from './embedded/listening.ts'
import { lockDataFolder } from './embedded/lock.ts'
import { type DataFolder, prepareDataFolder } from './embedded/ownership.ts'
import { postmasterArguments } from './embedded/settings.ts'
import { type Supervised, supervise } from './embedded/supervise.ts'

/** Our own PostgreSQL, running. */
export interface EmbeddedDatabase {
  connection: { host: string; port: number; user: string; password?: string; database: string }
  /** The folder in use. Differs from the requested one if that is out of reach of root's database. */
  dataDir: string
  /** The postmaster's process number, for tests that kill it. */
  pid(): number
  /** Shuts the database down and waits for it; calling it again waits for the same end. */
  stop(): Promise<void>
}

interface Options {
  dataDir: string
  log: Log
  /** Called once when the database died and could not be brought back. */
  onExit?: (error: Error) => void
  /** PostgreSQL settings that override ours; for tests only. */
  settings?: Record<string, string>
  listen?: 'socket' | 'loopback'
}

/**
 * Starts the PostgreSQL that comes with Parley on a data folder, making both when they are not there yet, and keeps it
 * running until `stop`. One server per data folder. Throws OperatorError with a sentence for whoever starts the server.
 */
export async function startEmbeddedDatabase(options: Options): Promise<EmbeddedDatabase> {
  const folder = await prepareDataFolder(options.dataDir)
  if (folder.instead_of) {
    options.log.warn(
      `The database runs as "${folder.owner?.name}", who cannot enter ${folder.instead_of}; it is stored in ${folder.path} instead`,
    )
  }
  const release = lockDataFolder(folder)
  try {
    return await startIn(folder, options, release)
  } catch (error) {
    release()
    throw error
  }
}

async function startIn(folder: DataFolder, options: Options, release: () => void): Promise<EmbeddedDatabase> {
  const { log, onExit = () => undefined, settings = {}, listen = defaultListen } = options
  await clearLeftovers(`${folder.path}/postgres`, log)
  const engine = await installEngine(folder, log)
  const at = await (listen === 'socket' ? listenOnSocket(folder) : listenOnLoopback(folder))
  const cluster = await prepareCluster(folder, engine, at.password, log)
  const args = postmasterArguments(cluster, at, settings)
  const server = await supervise({ engine, cluster, args, owner: folder.owner, log }, onExit)
  const connection = { ...at, user: NAME, database: NAME }
  await createDatabase(connection).catch(async (error) => {
    await server.stop()
    throw error
  })
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= stopAll(server, at, release)
    return stopping
  }
  return { connection, dataDir: folder.path, pid: server.pid, stop }
}

const defaultListen = process.platform === 'win32' ? 'loopback' : 'socket'

async function stopAll(server: Supervised, at: Listening, release: () => void): Promise<void> {
  await server.stop()
  await removeSocket(at.host)
  release()
}

/** initdb makes only the database `postgres`. */
async function createDatabase(connection: EmbeddedDatabase['connection']): Promise<void> {
  const client = new pg.Client({
    ...connection,
    database: 'postgres',
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
  })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [connection.database])
    if (!rowCount) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(connection.database)}`)
  } finally {
    await client.end()
  }
}
