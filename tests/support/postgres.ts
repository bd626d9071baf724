import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#server/platform/db/embedded.ts'

/** Its data need not survive a crash, so nothing waits for the disk. */
const hasty = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

/** Where Linux keeps files in memory. Databases are cloned there in a fifth of the time that a disk takes. */
const IN_MEMORY = '/dev/shm'
/** More than all databases of a run take at once. */
const ROOM = 4 * 1024 ** 3

export interface Postgres {
  address: EmbeddedDatabase['connection']
  /** Stops it and removes its data. */
  stop(): Promise<void>
}

/** A database server for tests, in a folder of its own; on `loopback` where its address must fit into a URL. */
export async function startPostgres(
  listen: 'socket' | 'loopback' = 'socket',
  settings: Record<string, string> = {},
): Promise<Postgres> {
  const dataDir = await mkdtemp(join((await hasRoomInMemory()) ? IN_MEMORY : tmpdir(), 'parley-test-'))
  const server = await startEmbeddedDatabase({
    dataDir,
    log: pino({ level: 'error' }),
    settings: { ...hasty, ...settings },
    listen,
  })
  async function stop() {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
    if (server.dataDir !== dataDir) await rm(server.dataDir, { recursive: true, force: true })
  }
  return { address: server.connection, stop }
}

async function hasRoomInMemory(): Promise<boolean> {
  const disk = await statfs(IN_MEMORY).catch(() => undefined)
  return disk !== undefined && disk.bavail * disk.bsize >= ROOM && freemem() >= 2 * ROOM
}
