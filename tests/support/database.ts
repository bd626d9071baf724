import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'

/** The run's database server, as `connect()` wants it. */
export interface DatabaseAddress {
  host: string
  port: number
  user: string
  password?: string
  database: string
}

export interface FreshDatabase {
  connection: DatabaseAddress
  /** Ends whatever is still connected and removes the database. */
  drop(): Promise<void>
}

/** The migrated database that others are cloned from; nobody connects to it. */
export const TEMPLATE = 'template_parley'

/**
 * A database of its own for a test file, migrated and empty: a clone takes about 50 ms.
 * `template` may be `template0` for one without any of our tables.
 */
export async function freshDatabase(template = TEMPLATE): Promise<FreshDatabase> {
  const server = inject('database')
  const name = `test_${randomBytes(6).toString('hex')}`
  await command(server, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  return {
    connection: { ...server, database: name },
    drop: () => drop(server, name),
  }
}

/** Connections that were just closed take a moment to be gone; being thrown out would be an error in their owner. */
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

async function command(server: DatabaseAddress, sql: string): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}
