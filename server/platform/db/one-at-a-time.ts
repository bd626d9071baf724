import { sql } from 'kysely'
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts'
import type { Db } from './change.ts'

/** Each holds a connection while its work uses another: few, so that there are always some for the work. */
const AT_ONCE = 2
const MOST_WAITING = 200
const MOST_OF_ONE_NAME = 50

/** Does work of one name on one server at a time. */
export type OneAtATime = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Lets work of one name wait for its turn, on this server without asking the database, and between servers by a lock there.
 * The transaction that holds it writes nothing, so it holds up no reader of the event log; it ends with its server.
 */
export function createOneAtATime(db: Db): OneAtATime {
  const turns = new ConcurrencyLimiter(1, MOST_OF_ONE_NAME)
  const places = new ConcurrencyLimiter(AT_ONCE, MOST_WAITING)
  return (name, work) => {
    const hold = () =>
      db.transaction().execute(async (holder) => {
        await sql`select pg_advisory_xact_lock(hashtext('one at a time'), hashtext(${name}))`.execute(holder)
        return work()
      })
    return turns.run(name, () => places.run('', hold))
  }
}
