import type pg from 'pg'
import type { Log } from '../log.ts'
import { type Repeating, repeat } from '../repeating.ts'

const POLL_MS = 2_000

const DUE = `select name from unnest($1::text[]) as queue (name)
  where exists (select from jobs.job where job.name = queue.name and state < 'active' and not blocked
    and start_after <= clock_timestamp())`

/**
 * Looks regularly which queues have due jobs, and wakes their workers. If each of the dozens of queues polled by itself,
 * that would be most of what an idle server and its database do.
 * @param listNames the queues to look at
 */
export function watchDueQueues(
  { pool, log }: { pool: pg.Pool; log: Log },
  listNames: () => string[],
  wake: (name: string) => void,
): Repeating {
  return repeat(POLL_MS, async () => {
    try {
      const { rows } = await pool.query<{ name: string }>(DUE, [listNames()])
      for (const { name } of rows) wake(name)
    } catch (error) {
      log.warn({ err: error }, 'The job queues could not be read')
    }
  })
}
