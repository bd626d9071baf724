import { Refusal } from '../../errors.ts'
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts'
import type { Db } from './change.ts'

/** Concurrent searches of one account, so that at least two accounts are always served; and the length of its queue. */
const AT_ONCE = 2
const MAX_WAITING = 20
/** PostgreSQL's code for a statement that exceeded its time limit. */
const TOO_LONG = '57014'

/** Queries whose cost depends on what somebody typed. */
export interface Searches {
  /**
   * Runs a search of an account on a connection for searches.
   * @throws TooMany when too many of the account wait; Refusal when it takes longer than the database allows
   */
  run<Result>(account_id: string, search: (db: Db) => Promise<Result>): Promise<Result>
}

/** Runs queries that may take long, and cancels those that take too long. */
export function createSearches(db: Db): Searches {
  const turns = new ConcurrencyLimiter(AT_ONCE, MAX_WAITING)
  return {
    run: (account_id, search) =>
      turns.run(account_id, () =>
        search(db).catch((error: unknown) => {
          if (!(error instanceof Error && 'code' in error && error.code === TOO_LONG)) throw error
          throw new Refusal(503, 'This search takes too long. Search for rarer words, or narrow it down.', 'too_slow')
        }),
      ),
  }
}
