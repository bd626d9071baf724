import {
  AbortedTransactionError,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import { isStalePlan, PreparedStatements } from './prepared.ts'
import { ArrayQueryCompiler } from './query-compiler.ts'

/** The dialect of PostgreSQL over a driver. */
export function dialectOf(driver: Driver): Dialect {
  return {
    createDriver: () => driver,
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new ArrayQueryCompiler(),
  }
}

/**
 * Kysely's driver over a pool whose connections pipeline (`pipeline: true` of pg): statements issued together take one
 * round trip, and so do `begin` with the first of a transaction and `commit` with the last. Frequent statements are
 * prepared.
 */
export class PipeliningDriver implements Driver {
  readonly #pool: pg.Pool
  readonly #statements = new PreparedStatements()
  readonly #connections = new WeakMap<pg.PoolClient, PipeliningConnection>()

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PipeliningConnection> {
    const client = await this.#pool.connect()
    const connection = this.#connections.get(client) ?? new PipeliningConnection(client, this.#statements)
    this.#connections.set(client, connection)
    return connection
  }

  async releaseConnection(connection: PipeliningConnection): Promise<void> {
    connection.release()
  }

  async beginTransaction(connection: PipeliningConnection): Promise<void> {
    connection.begin()
  }

  async commitTransaction(connection: PipeliningConnection): Promise<void> {
    await connection.commit()
  }

  async rollbackTransaction(connection: PipeliningConnection): Promise<void> {
    await connection.rollback()
  }

  async destroy(): Promise<void> {
    await this.#pool.end()
  }
}

/** One connection of the pool, with the transaction that is open on it. */
export class PipeliningConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly #statements: PreparedStatements
  #isInTransaction = false
  /** The answer to a commit that was sent before its transaction ended. */
  #committing: Promise<void> | undefined
  #isBroken = false

  constructor(client: pg.PoolClient, statements: PreparedStatements) {
    this.#client = client
    this.#statements = statements
  }

  async executeQuery<Row>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#committing) throw new Error('A statement was issued after the commit of its transaction.')
    const values = [...parameters]
    const name = values.length > 0 ? this.#statements.nameOf(text) : undefined
    if (!name) return toResult(await this.#client.query(text, values))
    try {
      return toResult(await this.#client.query({ name, text, values }))
    } catch (error) {
      if (isStalePlan(error)) this.#statements.exclude(text)
      // A failed transaction is run again as a whole (`change.ts`).
      if (!isStalePlan(error) || this.#isInTransaction) throw error
      return toResult(await this.#client.query(text, values))
    }
  }

  // biome-ignore lint/correctness/useYield: the interface of Kysely demands a generator.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('A connection that pipelines has no cursors.')
  }

  /** Sends `begin` without waiting. If it fails, the connection is lost and the next statement reports that. */
  begin(): void {
    this.executeQuery(CompiledQuery.raw('begin')).catch(() => undefined)
    this.#isInTransaction = true
  }

  /**
   * Sends `commit` behind the statements issued so far, without waiting for their answers. If one of them fails,
   * PostgreSQL rolls back instead. Once only: a second call waits for the same answer.
   * @throws AbortedTransactionError when it rolled back
   */
  commit(): Promise<void> {
    this.#committing ??= this.#end('commit')
    // Whoever waits for one of the statements hears first that it failed.
    this.#committing.catch(() => undefined)
    return this.#committing
  }

  /** Ends a failed transaction, unless a commit sent early has already ended it. */
  async rollback(): Promise<void> {
    if (this.#committing) await this.#committing.catch(() => undefined)
    else await this.#end('rollback')
  }

  release(): void {
    this.#isInTransaction = false
    this.#committing = undefined
    this.#client.release(this.#isBroken)
  }

  async #end(text: 'commit' | 'rollback'): Promise<void> {
    try {
      const { rows } = await this.executeQuery<{ command: string }>(CompiledQuery.raw(text))
      if (text === 'commit' && rows[0]?.command === 'ROLLBACK') throw new AbortedTransactionError()
    } catch (error) {
      // Whether the transaction has ended is unknown, so nobody may use this connection again.
      if (!(error instanceof AbortedTransactionError)) this.#isBroken = true
      throw error
    }
  }
}

const WRITING = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

function toResult<Row>({ command, rowCount, rows: read }: pg.QueryResult): QueryResult<Row> {
  const rows = command === 'COMMIT' || command === 'ROLLBACK' ? [{ command } as Row] : read
  return { rows, ...(WRITING.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) }
}
