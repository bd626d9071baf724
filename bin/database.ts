import { resolve } from 'node:path'
import type { Config } from '#server/config.ts'
import type { ConnectionConfig } from '#server/platform/db/connection.ts'
import { NAME } from '#server/platform/db/embedded/cluster.ts'
import { isTaken, readPidFile } from '#server/platform/db/embedded/leftovers.ts'
import { settleDataFolder } from '#server/platform/db/embedded/ownership.ts'
import { startEmbeddedDatabase } from '#server/platform/db/embedded.ts'
import type { Log } from '#server/platform/log.ts'

interface Reached {
  connection: ConnectionConfig
  /** Stops what was started for this. */
  release(): Promise<void>
}

/** The database of an installation for a command: the one given, that of a running server, or one started for it. */
export async function reachDatabase({ databaseUrl, dataDir }: Config, log: Log): Promise<Reached> {
  if (databaseUrl) return { connection: { connectionString: databaseUrl }, release: async () => undefined }
  // Root's server may keep it in a folder that stands in for the one that was asked for.
  const { path } = await settleDataFolder(dataDir)
  const running = await findRunning(path)
  if (running) return { connection: running, release: async () => undefined }
  const database = await startEmbeddedDatabase({ dataDir, log })
  return { connection: database.connection, release: () => database.stop() }
}

async function findRunning(dataDir: string): Promise<ConnectionConfig | undefined> {
  const file = await readPidFile(resolve(dataDir, 'postgres'))
  if (!file?.socketFolder || !isTaken(file.pid)) return undefined
  return { host: file.socketFolder, port: file.port, user: NAME, database: NAME }
}
