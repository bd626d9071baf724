import { resolve } from 'node:path'
import type { Config } from '#server/config.ts'
import { checkDatabase } from '#server/platform/db/check-database.ts'
import type { ConnectionConfig } from '#server/platform/db/connection.ts'
import { NAME } from '#server/platform/db/embedded/cluster.ts'
import { isTaken, readPidFile } from '#server/platform/db/embedded/leftovers.ts'
import { prepareDataFolder } from '#server/platform/db/embedded/ownership.ts'
import { startEmbeddedDatabase } from '#server/platform/db/embedded.ts'
import type { Log } from '#server/platform/log.ts'

/** More than a command opens at the same time. */
const CONNECTIONS = 5

interface ReachedDatabase {
  connection: ConnectionConfig
  /** Stops the database if it was started for this command. */
  release(): Promise<void>
}

/**
 * Connects a command to the installation's database: the configured one, a running server's, or one started for the
 * command.
 */
export async function reachDatabase({ databaseUrl, dataDir }: Config, log: Log): Promise<ReachedDatabase> {
  if (databaseUrl) {
    const connection = { connectionString: databaseUrl }
    await checkDatabase(connection, log, CONNECTIONS)
    return { connection, release: async () => undefined }
  }
  // As root, the database may be in a substitute for the configured folder.
  const { path } = await prepareDataFolder(dataDir)
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
