import { availableParallelism } from 'node:os'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '../log.ts'
import { types } from './parsers.ts'
import type { Database } from './schema.ts'

/** Where the database is: a DATABASE_URL, or the embedded server's socket folder (or loopback port). */
export type ConnectionConfig =
  | { connectionString: string }
  | { host: string; port: number; user: string; password?: string; database: string }

export interface Connection {
  kysely: Kysely<Database>
  pool: pg.Pool
  /** Waits for borrowed connections, then closes all. */
  end(): Promise<void>
}

/** What a pool is for, where it is not for everything. */
interface Use {
  name?: string
  /** Connections at most. */
  most?: number
  /** That a statement may take. */
  seconds?: number
}

const FEWEST = 8
const MOST = 20
const SECOND = 1000

/**
 * Opens the pool every query goes through. Connections are made when they are needed, so this neither waits nor fails;
 * after the database was away the pool simply connects again. Queries find `baseUrl`, the address of this installation, as
 * the setting `parley.base_url`.
 */
export function connect(
  config: ConnectionConfig,
  log: Log,
  baseUrl = 'http://localhost:4000',
  { name = 'parley', most = Math.min(MOST, Math.max(FEWEST, 4 * availableParallelism())), seconds = 15 }: Use = {},
): Connection {
  const pool = new pg.Pool({
    types,
    application_name: name,
    // More connections than the machine can serve only move the queue into the database.
    max: most,
    connectionTimeoutMillis: 10 * SECOND,
    idleTimeoutMillis: 60 * SECOND,
    keepAlive: true,
    statement_timeout: seconds * SECOND,
    idle_in_transaction_session_timeout: 30 * SECOND,
    options: `-c timezone=UTC -c datestyle=ISO -c parley.base_url=${baseUrl}`,
    ...config,
  })
  // When the database goes, every idle connection reports it; once is enough.
  let reported = 0
  pool.on('error', (error) => {
    if (!pool.ending && Date.now() - reported > SECOND)
      log.warn(`Connections to the database were lost: ${error.message}`)
    reported = Date.now()
  })
  // The pool looks after idle connections only: one that dies while borrowed would take the process with it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const kysely = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  // Kysely ends the pool only if it ever used it.
  const end = () => kysely.destroy().then(() => (pool.ending ? undefined : pool.end()))
  return { kysely, pool, end }
}
