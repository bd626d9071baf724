import { sql } from 'kysely'
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts'
import type { Db } from './change.ts'

/** Each holds a connection while its work uses another, so few run at once and leave connections for the work. */
const AT_ONCE = 2
const MAX_WAITING = 200
const MAX_WAITING_PER_NAME = 50

/** Runs work of the same name one at a time, across all servers. */
export type OneAtATime = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Queues work of the same name: on this server in memory, between servers by a lock in the database. The transaction
 * that holds the lock writes nothing, so it delays no reader of the event log; it ends with its server.
 */
export function createOneAtATime(db: Db): OneAtATime {
  const turns = new ConcurrencyLimiter(1, MAX_WAITING_PER_NAME)
  const slots = new ConcurrencyLimiter(AT_ONCE, MAX_WAITING)
  return (name, work) => {
    const runLocked = () =>
      db.transaction().execute(async (holder) => {
        await sql`select pg_advisory_xact_lock(hashtext('one at a time'), hashtext(${name}))`.execute(holder)
        return work()
      })
    return turns.run(name, () => slots.run('', runLocked))
  }
}
