import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { ConnectionConfig } from '#server/platform/db/connection.ts'
import { startEmbeddedDatabase } from '#server/platform/db/embedded.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { seedCompany } from '../bin/seed/seed.ts'
import { SEED_PASSWORD } from '../bin/seed/team.ts'

export interface Installation {
  url: string
  /** An admin's access token. */
  token: string
  account_id: string
  database: ConnectionConfig
  /** The same as an address. */
  databaseUrl: string
  server: ChildProcess
  /** The postmaster's process number. */
  postmaster: number
  /** Starts one more server on the same database. */
  startAnother(): Promise<RunningServer>
  close(): Promise<void>
}

/** Everything is young and most of it is open, which is the hardest for lists and counters. */
const BUSY = { days: 60, open_share: 0.6 }

export interface RunningServer {
  url: string
  server: ChildProcess
}

interface Size {
  conversations: number
  messages: number
  customers?: number
}

/**
 * Starts a server in a process of its own on a database seeded for the bench, as in production but without limits, and
 * with the given settings.
 */
export async function install(size: Size, settings: Record<string, string> = {}): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  const log = pino({ level: 'silent' })
  const embedded = await startEmbeddedDatabase({ dataDir, log })
  await migrate(embedded.connection, log)
  const { account_id, emails } = await seedCompany(embedded.connection, log, { ...size, ...BUSY })
  const connectionString = addressOf(embedded.connection)
  const running: ChildProcess[] = []
  const start = async () => {
    const started = await startServer({ DATABASE_URL: connectionString, DATA_DIR: dataDir, ...settings })
    running.push(started.server)
    return started
  }
  const { url, server } = await start()
  const answer = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: { email: emails[0], password: SEED_PASSWORD } }),
  })
  const { token } = ((await answer.json()) as { data: { token: string } }).data
  return {
    url,
    token,
    account_id,
    database: embedded.connection,
    databaseUrl: connectionString,
    server,
    postmaster: embedded.pid(),
    startAnother: start,
    async close() {
      await Promise.all(running.map(end))
      await embedded.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function startServer(settings: Record<string, string>): Promise<RunningServer> {
  const server = fork(new URL('./server.ts', import.meta.url), {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: '.cache/compiled',
      PORT: '0',
      HOST: '127.0.0.1',
      RATE_LIMITS: 'off',
      REGISTRATION: 'open',
      LOG_LEVEL: 'silent',
      ...settings,
    },
    // As `npm start` does.
    execArgv: ['--max-semi-space-size=16', '--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    server.once('message', (message) => resolve(String(message)))
    server.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready.`)))
  })
  return { url, server }
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exited = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  await exited
}

export function addressOf({
  host,
  port,
  user,
  database,
}: {
  host: string
  port: number
  user: string
  database: string
}): string {
  return `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`
}
