import { Refusal } from '../../errors.ts'
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts'
import type { Db } from './change.ts'

/** Searches of one account that run at once, so that two accounts at least always get on; and that wait for their turn. */
const AT_ONCE = 2
const MOST_WAITING = 20
/** PostgreSQL's code for a statement that took longer than it may. */
const TOO_LONG = '57014'

/** Reading whose cost depends on what somebody typed. */
export interface Searches {
  /**
   * Runs a search of an account on a connection for searches.
   * @throws TooMany when too many of the account wait; Refusal when it takes longer than the database allows
   */
  run<Result>(account_id: string, search: (db: Db) => Promise<Result>): Promise<Result>
}

/** Runs reading that may take a while, and breaks off what takes too long. */
export function createSearches(db: Db): Searches {
  const turns = new ConcurrencyLimiter(AT_ONCE, MOST_WAITING)
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
