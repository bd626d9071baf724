import type { Socket } from 'node:net'
import { Kysely } from 'kysely'
import pg from 'pg'
import type { Log } from '../log.ts'
import { recordTraced, type TracedWork } from '../tracing/traced.ts'
import { dialectOf, PipeliningDriver } from './driver.ts'
import { GatheringSocket } from './gathering-socket.ts'
import { types } from './parsers.ts'
import { poolSizes } from './pool-sizes.ts'
import { isStorageFull } from './problems.ts'
import type { Database } from './schema.ts'
import { prepareSession } from './session.ts'

/** Where the database is: a DATABASE_URL, or the embedded server's socket folder (or loopback port). */
export type ConnectionConfig =
  | { connectionString: string }
  | { host: string; port: number; user: string; password?: string; database: string }

/** A pool of connections, with kysely over it. */
export interface Connection {
  kysely: Kysely<Database>
  pool: pg.Pool
  /** Waits for borrowed connections, then closes all of them. */
  end(): Promise<void>
  /** Closes all connections at once; pending queries fail. */
  abort(): void
  /** Whether a write failed because the disk was full, and it still is. */
  isFull(): Promise<boolean>
  counts(): PoolCounts
}

/** How busy a pool is. */
export interface PoolCounts {
  /** Maximum number of connections. */
  maxConnections: number
  used: number
  idle: number
  /** Queries that wait for a connection. */
  waiting: number
  /** Statements so far that took longer than `SLOW_MS`. */
  slow: number
}

/** Settings of a pool with a special purpose. */
interface Use {
  name?: string
  /** Maximum number of connections. */
  maxConnections?: number
  /** Time limit of a statement. */
  seconds?: number
  /** Settings of PostgreSQL for its sessions. */
  settings?: Record<string, string>
}

const SECOND = 1000
const IDLE_IN_TRANSACTION_SECONDS = 30
/** A database that hangs accepts connections and never answers. */
export const CONNECT_MS = 10 * SECOND
/** A statement that takes longer counts as slow and is logged. */
export const SLOW_MS = 500
const MAX_LOGGED_LENGTH = 500
/**
 * How long after its time limit a statement may remain unanswered: a hung database does not enforce the limit itself.
 */
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
  { name = 'parley', maxConnections = poolSizes().main, seconds = 15, settings = {} }: Use = {},
): Connection {
  const sockets = new AbortableSockets()
  const pool = new pg.Pool({
    types,
    stream: () => sockets.open(),
    application_name: name,
    // More connections than the machine can serve only move the queue into the database.
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 10 * SECOND,
    keepAlive: true,
    pipeline: true,
    query_timeout: (seconds + SILENCE_SECONDS) * SECOND,
    onConnect: (client) =>
      prepareSession(client, {
        baseUrl,
        statementMs: seconds * SECOND,
        idleMs: IDLE_IN_TRANSACTION_SECONDS * SECOND,
        others: settings,
      }),
    ...config,
  })
  // When the database goes away, every idle connection reports it; one log line is enough.
  let reported = 0
  pool.on('error', (error) => {
    if (!pool.ending && Date.now() - reported > SECOND)
      log.warn(`Connections to the database were lost: ${error.message}`)
    reported = Date.now()
  })
  // The pool handles errors of idle connections only: an error on a borrowed one would otherwise end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  let isFull = false
  let slow = 0
  const kysely = new Kysely<Database>({
    dialect: dialectOf(new PipeliningDriver(pool)),
    log: (event) => {
      if (event.level === 'error' && isStorageFull(event.error)) isFull = true
      const { sql } = event.query
      recordTraced(() => describeStatement(sql), event.queryDurationMillis, event.level === 'error')
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
      sockets.abort()
      aborted.resolve()
    },
    async isFull() {
      if (isFull) isFull = !(await hasRoom(pool))
      return isFull
    },
    counts() {
      const { totalCount, idleCount, waitingCount } = pool
      return { maxConnections, used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, slow }
    },
  }
}

/**
 * The sockets of a pool's connections, including those still being made: with a hung database, waiting for these would
 * take longer than there is time to stop.
 */
class AbortableSockets {
  readonly #open = new Set<Socket>()
  #isAborted = false

  /** A socket for a new connection, which connects it. */
  open(): Socket {
    const socket = new GatheringSocket()
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    if (this.#isAborted) setImmediate(() => socket.destroy())
    return socket
  }

  /** Closes all, and every one that is opened later. */
  abort(): void {
    this.#isAborted = true
    for (const socket of this.#open) socket.destroy()
  }
}

/** A statement without its parameters, which hold people's words. */
function textOf(sql: string): string {
  return sql.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_LOGGED_LENGTH)
}

function describeStatement(sql: string): TracedWork {
  const text = textOf(sql)
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text }
  return { name: text.split(' ', 1)[0] || 'statement', kind: 'call', attributes }
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
