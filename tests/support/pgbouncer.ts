import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import type { DatabaseAddress } from './database.ts'
import { freePort } from './server-process.ts'

/** A running PgBouncer. */
export interface PgBouncer {
  /** Where it listens, for the same database. */
  address: DatabaseAddress
  stop(): Promise<void>
}

/** An unprivileged user: PgBouncer refuses to run as root. */
const NOBODY = 65_534

/** Starts Debian's PgBouncer in front of a database, with its own defaults except for these settings. */
export async function startPgBouncer(to: DatabaseAddress, settings: Record<string, string>): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-pgbouncer-'))
  const port = await freePort()
  const target = { host: to.host, port: to.port, user: to.user, password: to.password ?? '', dbname: to.database }
  const listening = { listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any' }
  const lines = [
    '[databases]',
    `${to.database} = ${Object.entries(target)
      .map(([name, value]) => `${name}='${value}'`)
      .join(' ')}`,
    '[pgbouncer]',
    ...Object.entries({ ...listening, ...settings }).map(([name, value]) => `${name} = ${value}`),
  ]
  const file = join(folder, 'pgbouncer.ini')
  await chmod(folder, 0o755)
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o644 })
  const isRoot = process.getuid?.() === 0
  const running = spawn('pgbouncer', ['-q', file], { stdio: 'ignore', ...(isRoot && { uid: NOBODY, gid: NOBODY }) })
  const address = { host: '127.0.0.1', port, user: to.user, database: to.database }
  await expect.poll(() => isListening(address)).toBe(true)
  return {
    address,
    async stop() {
      const ended = new Promise((resolve) => running.once('exit', resolve))
      running.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function isListening(address: DatabaseAddress): Promise<boolean> {
  const client = new pg.Client(address)
  client.on('error', () => undefined)
  const isConnected = await client.connect().then(
    () => true,
    () => false,
  )
  if (isConnected) await client.end()
  return isConnected
}
