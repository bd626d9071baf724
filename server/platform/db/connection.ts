import { availableParallelism } from 'node:os'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '../log.ts'
import { noteTraced, type TracedWork } from '../tracing/traced.ts'
import { types } from './parsers.ts'
import { isStorageFull } from './problems.ts'
import type { Database } from './schema.ts'
import { FrequentStatements, reduceRoundTrips } from './statements.ts'

/** Where the database is: a DATABASE_URL, or the embedded server's socket folder (or loopback port). */
export type ConnectionConfig =
  | { connectionString: string }
  | { host: string; port: number; user: string; password?: string; database: string }

/** A pool of connections, with kysely over it. */
export interface Connection {
  kysely: Kysely<Database>
  pool: pg.Pool
  /** Waits for borrowed connections, then closes all. */
  end(): Promise<void>
  /** Closes all connections at once, whatever they wait for: what is asked of them fails. */
  abort(): void
  /** Whether a write failed for lack of room, and still would. */
  isFull(): Promise<boolean>
  counts(): PoolCounts
}

/** How busy a pool is. */
export interface PoolCounts {
  /** Connections at most. */
  most: number
  used: number
  idle: number
  /** Queries that wait for a connection. */
  waiting: number
  /** Statements so far that took longer than `SLOW_MS`. */
  slow: number
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
/** A database that hangs takes connections and says nothing. */
export const CONNECT_MS = 10 * SECOND
/** From here on a statement is slow: it is counted, and its text stands in the log. */
export const SLOW_MS = 500
const LONGEST_TEXT = 500
/** How long after the end of its time a statement may be without an answer: a database that hangs keeps no time. */
const SILENCE_SECONDS = 5

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
  const clients = new AbortableClients()
  const pool = new pg.Pool({
    types,
    Client: clients.kind,
    application_name: name,
    // More connections than the machine can serve only move the queue into the database.
    max: most,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 10 * SECOND,
    keepAlive: true,
    pipeline: true,
    statement_timeout: seconds * SECOND,
    query_timeout: (seconds + SILENCE_SECONDS) * SECOND,
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
  const statements = new FrequentStatements()
  pool.on('connect', (client) => {
    // The pool looks after idle connections only: one that dies while borrowed would take the process with it.
    client.on('error', () => undefined)
    closeWhenSilent(client)
    reduceRoundTrips(client, statements)
  })
  let isFull = false
  let slow = 0
  const kysely = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    log: (event) => {
      if (event.level === 'error' && isStorageFull(event.error)) isFull = true
      const { sql } = event.query
      noteTraced(() => describeStatement(sql), event.queryDurationMillis, event.level === 'error')
      if (event.queryDurationMillis < SLOW_MS) return
      slow++
      const statement = textOf(sql)
      log.info({ statement, ms: Math.round(event.queryDurationMillis) }, 'A statement was slow')
    },
  })
  const aborted = Promise.withResolvers<void>()
  async function endPool() {
    await kysely.destroy()
    // Kysely ends the pool only if it ever used it.
    if (!pool.ending) await pool.end()
  }
  return {
    kysely,
    pool,
    end: () => Promise.race([endPool(), aborted.promise]),
    abort() {
      clients.abort()
      aborted.resolve()
    },
    async isFull() {
      if (isFull) isFull = !(await hasRoom(pool))
      return isFull
    },
    counts() {
      const { totalCount, idleCount, waitingCount } = pool
      return { most, used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, slow }
    },
  }
}

/**
 * The connections of a pool, those among them that are still being made: a database that hangs lets everybody wait for one,
 * longer than there is time to stop.
 */
class AbortableClients {
  readonly kind: typeof pg.Client
  readonly #open = new Set<pg.Client>()
  #isAborted = false

  constructor() {
    const clients = this
    this.kind = class extends pg.Client {
      constructor(config?: pg.ClientConfig) {
        super(config)
        clients.#open.add(this)
        this.once('end', () => clients.#open.delete(this))
        // The stream is made at once; it connects when it is told to.
        if (clients.#isAborted) setImmediate(() => this.connection.stream.destroy())
      }
    }
  }

  /** Closes all, and every one that is opened later. */
  abort(): void {
    this.#isAborted = true
    for (const client of this.#open) client.connection.stream.destroy()
  }
}

/** A statement without what it was given, which are words of people. */
function textOf(sql: string): string {
  return sql.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT)
}

function describeStatement(sql: string): TracedWork {
  const text = textOf(sql)
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text }
  return { name: text.split(' ', 1)[0] || 'statement', kind: 'call', attributes }
}

/** A connection that has not answered in time would answer the next question with what was asked before. */
function closeWhenSilent(client: pg.PoolClient) {
  const query = client.query.bind(client) as (...asked: unknown[]) => unknown
  const watched = (...asked: unknown[]) => {
    const answer = query(...asked)
    if (answer instanceof Promise) {
      answer.catch((error: Error) => {
        if (error.message === 'Query read timeout') client.connection.stream.destroy()
      })
    }
    return answer
  }
  client.query = watched as typeof client.query
}

/** Whether a table can grow, by half a megabyte. */
async function hasRoom(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('create temporary table room on commit drop as select generate_series(1, 16000)')
    return true
  } catch (error) {
    return !isStorageFull(error)
  } finally {
    await client.query('rollback').catch(() => undefined)
    client.release()
  }
}
