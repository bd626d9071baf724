import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'

/** How often a statement comes before the database keeps it; one that is rare is not worth the memory. */
const FREQUENT = 50
/** Every connection keeps all of them, some 50 kB each. */
const MOST_KEPT = 48
/** Lists of ids make a statement of each length: most are counted for nothing. */
const MOST_COUNTED = 2_000

/** PostgreSQL's codes for: its columns were changed by a migration, it is not known on this connection, it is already. */
const NO_LONGER_GOOD = new Set(['0A000', '26000', '42P05'])

/** Whether a statement failed only because it had been kept: run again, it succeeds. */
export function isStalePlan(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NO_LONGER_GOOD.has(String(error.code))
}

/** What finds one row by the hash of a token: every request begins with it. */
const BY_HASH = /"\w+_hash" = any\(\$1\)/

/**
 * Remembers which statements come often, of transactions and of who is calling. The database parses and plans those once on each
 * connection, which otherwise takes it longer than carrying them out. They go by ids, so one plan is as good as another;
 * what else is read may be a list or a search, whose best plan depends on what is looked for.
 */
export class FrequentStatements {
  #times = new Map<string, number>()
  #names = new Map<string, string>()
  #refused = new Set<string>()

  /** The name under which the database keeps a statement, if it does. */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text)
    if (name || this.#names.size === MOST_KEPT) return name
    const times = (this.#times.get(text) ?? 0) + 1
    if (times < FREQUENT || this.#refused.has(text)) {
      if (this.#times.size === MOST_COUNTED) this.#times.clear()
      this.#times.set(text, times)
      return undefined
    }
    this.#times.delete(text)
    // Behind a pooler connections are shared: the same name must mean the same statement for every process.
    const made = createHash('sha256').update(text).digest('base64url').slice(0, 32)
    this.#names.set(text, made)
    return made
  }

  /** Sends a statement in full from now on. */
  refuse(text: string) {
    this.#names.delete(text)
    this.#refused.add(text)
  }
}

/**
 * Ends a statement behind which nothing follows in its transaction but the commit: both are sent together, one way fewer.
 * Where the statement fails, the database makes a rollback of that commit.
 */
export const LAST = sql`-- last`

function isLast(text: unknown): boolean {
  return typeof text === 'string' && text.endsWith(' -- last')
}

type Query = (...asked: unknown[]) => Promise<pg.QueryResult>

const BEGUN = { command: 'BEGIN', rowCount: null, oid: 0, rows: [], fields: [] } satisfies pg.QueryResult

/**
 * Lets a connection send `begin` together with the first statement of the transaction and `commit` with its last, two ways
 * fewer, and frequent statements of transactions by their names.
 */
export function reduceRoundTrips(client: pg.PoolClient, statements: FrequentStatements) {
  const query = client.query.bind(client) as Query
  let state: 'idle' | 'beginning' | 'open' = 'idle'
  let committed: Promise<unknown> | undefined
  const send: Query = async (...asked) => {
    const [text, values] = asked
    // What comes from the pool itself has a callback behind it, and is passed on as it is.
    const isPlain = asked.length === 2 && Array.isArray(values) && values.length > 0
    const name = isPlain ? statements.nameOf(String(text)) : undefined
    if (!name) return query(...asked)
    try {
      return await query({ name, text, values })
    } catch (error) {
      if (isStalePlan(error)) statements.refuse(String(text))
      throw error
    }
  }
  /** What is sent in one turn goes out in one write: writing costs more than most statements. */
  const gather = () => {
    const { stream } = client.connection
    if (stream.writableCorked > 0) return
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  const watched = (...asked: unknown[]) => {
    const [text] = asked
    gather()
    if (state === 'idle') {
      if (text !== 'begin') return BY_HASH.test(String(text)) ? send(...asked) : query(...asked)
      state = 'beginning'
      return Promise.resolve(BEGUN)
    }
    const isEnd = text === 'commit' || text === 'rollback'
    if (!isEnd) {
      // Where it fails the connection is gone, which the statement behind it tells.
      if (state === 'beginning') query('begin').catch(() => undefined)
      state = 'open'
      const answer = send(...asked)
      if (isLast(text)) {
        committed = query('commit')
        // Whoever asks for the commit is told; where the statement itself failed nobody does.
        committed.catch(() => undefined)
      }
      return answer
    }
    const isBegun = state === 'open'
    const sent = committed
    state = 'idle'
    committed = undefined
    if (sent && text === 'commit') return sent
    return isBegun ? send(...asked) : Promise.resolve(BEGUN)
  }
  client.query = watched as typeof client.query
}
