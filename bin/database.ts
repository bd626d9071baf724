import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '#server/config.ts'
import type { ConnectionConfig } from '#server/platform/db/connection.ts'
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
  const running = findRunning(dataDir)
  if (running) return { connection: running, release: async () => undefined }
  const database = await startEmbeddedDatabase({ dataDir, log })
  return { connection: database.connection, release: () => database.stop() }
}

/** PostgreSQL writes down who runs it and where it listens: process, folder, start, port, socket folder. */
function findRunning(dataDir: string): ConnectionConfig | undefined {
  try {
    const [pid, , , port, host] = readFileSync(resolve(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 0)
    return host ? { host, port: Number(port), user: 'parley', database: 'parley' } : undefined
  } catch {
    return undefined
  }
}
