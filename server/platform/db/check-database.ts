import pg from 'pg'
import type { Log } from '../log.ts'
import { OperatorError } from '../operator-error.ts'
import { CONNECT_MS, type ConnectionConfig } from './connection.ts'
import { adviceForOperator, describeError } from './problems.ts'
import { prepareSession } from './session.ts'

const OLDEST = 15

interface Facts {
  pid: number
  version: number
  is_standby: boolean
  is_read_only: boolean
  encoding: string
  /** Connections that ordinary users may open. */
  connections: number
}

/**
 * Checks that Parley can work with the operator's database, before anything is written to it: its version, that it can
 * be written, its encoding, that sessions are kept (not by poolers that change the connection with each transaction), and
 * how many connections it accepts.
 * @param needed how many connections this server may open
 * @throws OperatorError with what to change
 */
export async function checkDatabase(config: ConnectionConfig, log: Log, needed: number): Promise<void> {
  const clients: pg.Client[] = []
  try {
    const first = await open(config, clients)
    const facts = await readFacts(first)
    assertUsable(facts)
    await assertSessionsAreKept(first, facts.pid, await open(config, clients))
    if (needed > facts.connections) {
      log.warn(
        `The database accepts ${facts.connections} connections, and this server may open ${needed}: raise its max_connections, or set DATABASE_CONNECTIONS`,
      )
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error
    const advice = adviceForOperator(error)
    throw new OperatorError(advice ?? `The database cannot be used: ${describeError(error)}. Check DATABASE_URL.`)
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  }
}

async function open(config: ConnectionConfig, clients: pg.Client[]): Promise<pg.Client> {
  const client = new pg.Client({
    ...config,
    application_name: 'parley check',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  })
  // An ended connection fails its queries; an unhandled `error` event would also end the process.
  client.on('error', () => undefined)
  await client.connect()
  clients.push(client)
  return client
}

async function readFacts(client: pg.Client): Promise<Facts> {
  const { rows } = await client.query<Facts>(`
    select pg_backend_pid() as pid, current_setting('server_version_num')::integer / 10000 as version,
      pg_is_in_recovery() as is_standby, current_setting('default_transaction_read_only')::boolean as is_read_only,
      current_setting('server_encoding') as encoding,
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        as connections`)
  return rows[0]!
}

function assertUsable({ version, is_standby, is_read_only, encoding }: Facts): void {
  if (version < OLDEST)
    throw new OperatorError(`The database is PostgreSQL ${version}: Parley needs ${OLDEST} or newer.`)
  if (is_standby)
    throw new OperatorError(
      'The database in DATABASE_URL is a standby, which cannot be written: use the primary server.',
    )
  if (is_read_only)
    throw new OperatorError(
      'The database in DATABASE_URL is read-only: set default_transaction_read_only to off for it and its user.',
    )
  if (encoding !== 'UTF8')
    throw new OperatorError(
      `The database in DATABASE_URL has the encoding ${encoding}, which cannot store all languages: create one with CREATE DATABASE parley TEMPLATE template0 ENCODING 'UTF8'.`,
    )
}

const NEEDS_SESSIONS =
  'The connection pooler in front of the database gives each transaction another connection. Parley needs sessions: set pool_mode = session in PgBouncer, or connect to PostgreSQL itself.'

/**
 * A second client gets the connection of the first one, which is still open, only from a pooler that lends connections
 * for a transaction or a statement.
 */
async function assertSessionsAreKept(first: pg.Client, pid: number, second: pg.Client): Promise<void> {
  await prepareSession(first, { baseUrl: 'a trial' })
  await second.query('begin').catch(() => {
    throw new OperatorError(NEEDS_SESSIONS)
  })
  const { rows } = await second.query<{ pid: number }>('select pg_backend_pid() as pid')
  await second.query('commit')
  const kept = await first.query<{ base_url: string | null }>(
    `select current_setting('parley.base_url', true) as base_url`,
  )
  if (rows[0]!.pid === pid || kept.rows[0]!.base_url !== 'a trial') throw new OperatorError(NEEDS_SESSIONS)
}
