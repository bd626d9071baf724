import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'

/** How often a statement must occur before it is prepared; a rare one is not worth the memory. */
const FREQUENT = 50
/** Every connection keeps all of them, some 50 kB each. */
const MAX_PREPARED = 48
/** Lists of ids make a new statement for each length, so most counted statements never become frequent. */
const MAX_COUNTED = 2_000

/**
 * PostgreSQL's codes for a prepared statement whose columns a migration changed, that is unknown on this connection, or
 * that already exists.
 */
const STALE_PLAN = new Set(['0A000', '26000', '42P05'])

/** Whether a statement failed only because it was prepared: run again, it succeeds. */
export function isStalePlan(error: unknown): boolean {
  return error instanceof Error && 'code' in error && STALE_PLAN.has(String(error.code))
}

/** Looks up one row by the hash of a token: every request begins with such a statement. */
const BY_HASH = /"\w+_hash" = any\(\$1\)/

/**
 * Counts statements of transactions and of authentication. Frequent ones are prepared once on each connection, because
 * parsing and planning take longer than running them. They look rows up by id, so one plan fits all parameters; the
 * best plan of lists and searches depends on the parameters, so these are not prepared.
 */
export class FrequentStatements {
  #times = new Map<string, number>()
  #names = new Map<string, string>()
  #refused = new Set<string>()

  /** The name of the prepared statement, if it is frequent. */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text)
    if (name || this.#names.size === MAX_PREPARED) return name
    const times = (this.#times.get(text) ?? 0) + 1
    if (times < FREQUENT || this.#refused.has(text)) {
      if (this.#times.size === MAX_COUNTED) this.#times.clear()
      this.#times.set(text, times)
      return undefined
    }
    this.#times.delete(text)
    // Behind a pooler connections are shared: a name must mean the same statement in every process.
    const made = createHash('sha256').update(text).digest('base64url').slice(0, 32)
    this.#names.set(text, made)
    return made
  }

  /** Never sends this statement by name again. */
  refuse(text: string) {
    this.#names.delete(text)
    this.#refused.add(text)
  }
}

/**
 * Marks the last statement of a transaction: it is sent together with the commit, which saves a round trip. If the
 * statement fails, PostgreSQL turns that commit into a rollback.
 */
export const LAST = sql`-- last`

function isLast(text: unknown): boolean {
  return typeof text === 'string' && text.endsWith(' -- last')
}

type Query = (...args: unknown[]) => Promise<pg.QueryResult>

const BEGUN = { command: 'BEGIN', rowCount: null, oid: 0, rows: [], fields: [] } satisfies pg.QueryResult

/**
 * Makes a connection send `begin` together with the first statement of a transaction and `commit` with its last, which
 * saves two round trips, and frequent statements by their names.
 */
export function reduceRoundTrips(client: pg.PoolClient, statements: FrequentStatements) {
  const query = client.query.bind(client) as Query
  let state: 'idle' | 'beginning' | 'open' = 'idle'
  let committed: Promise<unknown> | undefined
  const send: Query = async (...args) => {
    const [text, values] = args
    // The pool's own queries have a callback and are passed on unchanged.
    const isPlain = args.length === 2 && Array.isArray(values) && values.length > 0
    const name = isPlain ? statements.nameOf(String(text)) : undefined
    if (!name) return query(...args)
    try {
      return await query({ name, text, values })
    } catch (error) {
      if (isStalePlan(error)) statements.refuse(String(text))
      throw error
    }
  }
  /** Everything sent in one turn goes out in one write: writing costs more than most statements. */
  const gather = () => {
    const { stream } = client.connection
    if (stream.writableCorked > 0) return
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  const watched = (...args: unknown[]) => {
    const [text] = args
    gather()
    if (state === 'idle') {
      if (text !== 'begin') return BY_HASH.test(String(text)) ? send(...args) : query(...args)
      state = 'beginning'
      return Promise.resolve(BEGUN)
    }
    const isEnd = text === 'commit' || text === 'rollback'
    if (!isEnd) {
      // If it fails, the connection is lost and the next statement reports that.
      if (state === 'beginning') query('begin').catch(() => undefined)
      state = 'open'
      const answer = send(...args)
      if (isLast(text)) {
        committed = query('commit')
        // The caller of commit gets this error; if the statement itself failed, nobody awaits it.
        committed.catch(() => undefined)
      }
      return answer
    }
    const isBegun = state === 'open'
    const sent = committed
    state = 'idle'
    committed = undefined
    if (sent && text === 'commit') return sent
    return isBegun ? send(...args) : Promise.resolve(BEGUN)
  }
  client.query = watched as typeof client.query
}
