import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { refusal, unannouncedChanges } from './bystanders/watched.ts'
import { watchBystanders } from './bystanders/watching.ts'

/** The run's database server, in the form that `connect()` takes. */
export interface DatabaseAddress {
  host: string
  port: number
  user: string
  password?: string
  database: string
}

export interface FreshDatabase {
  connection: DatabaseAddress
  /** The template it was cloned from. */
  template: string
  /** Closes remaining connections and drops the database. */
  drop(): Promise<void>
}

/** Migrated and empty. Nobody connects to templates, because that would prevent cloning. */
export const EMPTY = 'template_parley'
/** With the named world and its bystanders. */
export const WORLD = 'template_parley_world'

/**
 * A database of its own for a test file.
 * @param template may be `template0` for one without our tables
 * @param locale options of `CREATE DATABASE`, only with `template0`
 */
export async function freshDatabase(template: string = EMPTY, locale = ''): Promise<FreshDatabase> {
  const server = inject('database')
  const name = `test_${randomBytes(6).toString('hex')}`
  // Nothing waits for the disk here, so copying the files is faster than writing the copy to the log as well.
  await command(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy ${locale}`)
  const connection = { ...server, database: name }
  return { connection, template, drop: () => drop(server, name) }
}

/** A database with the named world, whose bystanders are compared after each test. */
export async function freshWorld(): Promise<FreshDatabase> {
  const database = await freshDatabase(WORLD)
  const watching = watchBystanders(database.connection)
  return {
    ...database,
    async drop() {
      const changes = await unannouncedChanges(watching)
      await watching.end()
      await database.drop()
      if (changes) throw refusal(changes)
    },
  }
}

/** Closed connections take a moment to end; terminating them would be an error in their owner. */
async function drop(server: DatabaseAddress, name: string): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      return await command(server, `DROP DATABASE IF EXISTS ${name}`)
    } catch {
      await sleep(50)
    }
  }
  await command(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

/** Runs a statement outside any of the tests' databases. */
export async function command(server: DatabaseAddress, sql: string): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}
