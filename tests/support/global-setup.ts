import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { startEmbeddedDatabase } from '#server/platform/db/embedded.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { type DatabaseAddress, TEMPLATE } from './database.ts'

const log = pino({ level: 'error' })

/** One database server for the whole run; a crash may lose it, so it need not wait for the disk. */
const hasty = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

interface RunningServer {
  address: DatabaseAddress
  stop(): Promise<void>
}

/** Starts the server, makes the migrated template that every test file clones, and returns what stops it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env.TEST_DATABASE_URL
  const server = external ? await visitServer(external) : await startServer()
  await command(server.address, `CREATE DATABASE ${TEMPLATE}`)
  await migrate({ ...server.address, database: TEMPLATE }, log)
  project.provide('database', server.address)
  return server.stop
}

async function startServer(): Promise<RunningServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'))
  const server = await startEmbeddedDatabase({ dataDir, log, settings: hasty })
  async function stop() {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
    if (server.dataDir !== dataDir) await rm(server.dataDir, { recursive: true, force: true })
  }
  return { address: server.connection, stop }
}

/** A PostgreSQL that is there already, to run the tests on another version: `TEST_DATABASE_URL=postgres://…`. */
async function visitServer(url: string): Promise<RunningServer> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const address = {
    host: hostname,
    port: Number(port) || 5432,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1) || 'postgres',
  }
  const stop = () => command(address, `DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`)
  await stop()
  return { address, stop }
}

async function command(address: DatabaseAddress, sql: string): Promise<void> {
  const client = new pg.Client({ ...address, database: 'postgres' })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

declare module 'vitest' {
  export interface ProvidedContext {
    database: DatabaseAddress
  }
}
