import type pg from 'pg'
import type { Log } from '../log.ts'

const POLL_MS = 2_000

const DUE = `select name from unnest($1::text[]) as queue (name)
  where exists (select from jobs.job where job.name = queue.name and state < 'active' and not blocked
    and start_after <= clock_timestamp())`

export interface DueQueuesWatch {
  /** Waits for the look in progress. */
  stop(): Promise<void>
}

/**
 * Looks regularly which queues have due jobs, and wakes their workers. If each of the dozens of queues polled by itself,
 * that would be most of what an idle server and its database do.
 * @param listNames the queues to look at
 */
export function watchDueQueues(
  { pool, log }: { pool: pg.Pool; log: Log },
  listNames: () => string[],
  wake: (name: string) => void,
): DueQueuesWatch {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()

  async function look() {
    try {
      const { rows } = await pool.query<{ name: string }>(DUE, [listNames()])
      for (const { name } of rows) wake(name)
    } catch (error) {
      log.warn({ err: error }, 'The job queues could not be read')
    }
  }

  function schedule() {
    if (isStopped) return
    timer = setTimeout(() => {
      looking = look().then(schedule)
    }, POLL_MS)
    timer.unref()
  }
  schedule()

  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await looking
    },
  }
}
