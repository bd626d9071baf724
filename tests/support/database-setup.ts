import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { migrate } from '#server/platform/db/migrate.ts'
import { command, type DatabaseAddress, EMPTY, WORLD } from './database.ts'
import { type Postgres, startPostgres } from './postgres.ts'

/** Starts the database server with an empty template that test files clone. Returns a function that stops it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env.TEST_DATABASE_URL
  const server = external ? await visitServer(external) : await startPostgres()
  try {
    await command(server.address, `CREATE DATABASE ${EMPTY}`)
    await migrate({ ...server.address, database: EMPTY }, pino({ level: 'error' }))
    project.provide('database', server.address)
    return server.stop
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Uses an existing PostgreSQL, to test with another version: `TEST_DATABASE_URL=postgres://…`. */
async function visitServer(url: string): Promise<Postgres> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const address = {
    host: hostname,
    port: Number(port) || 5432,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1) || 'postgres',
  }
  const stop = async () => {
    for (const name of [EMPTY, WORLD]) await command(address, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
  await stop()
  return { address, stop }
}

declare module 'vitest' {
  export interface ProvidedContext {
    database: DatabaseAddress
  }
}
