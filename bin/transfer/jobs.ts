import { type ConnectionConfig, connect } from '#server/platform/db/connection.ts'
import { openBoss } from '#server/platform/jobs/jobs.ts'
import { DEAD, type JobQueue, prepareQueues } from '#server/platform/jobs/queues.ts'
import type { Log } from '#server/platform/log.ts'
import type { Table } from './tables.ts'

/**
 * Work that is stored only as a job: mails to send, imports, files to delete, and dead jobs. Scheduled jobs, which have
 * no account, are left out because they recur. A job that is running is exported as waiting, with the tries it has
 * left.
 */
export const JOBS: Table = {
  name: 'jobs.job',
  columns: [
    ...['id', 'name', 'data', 'policy', 'singleton_key', 'created_on', 'start_after', 'started_on', 'keep_until'],
    ...['retry_limit', 'retry_count', 'retry_delay', 'retry_backoff', 'retry_delay_max'],
    ...['expire_seconds', 'heartbeat_seconds', 'deletion_seconds', 'dead_letter'],
    ...['source_id', 'source_name', 'source_created_on', 'source_retry_count', 'source_output', 'source_root_id'],
  ],
  key: ['id', 'name'],
  only: `state < 'completed' and data ? 'account_id'`,
}

/** Creates the queues of the jobs, even if no server has run yet. */
export async function makeQueues(connection: ConnectionConfig, log: Log, queues: JobQueue[]): Promise<void> {
  const { pool, end } = connect(connection, log)
  const boss = openBoss(pool, log, { isGuest: true })
  try {
    await boss.start()
    await prepareQueues(
      boss,
      queues.filter(({ name }) => name !== DEAD),
      [],
    )
  } finally {
    await boss.stop({ graceful: false, close: false })
    await end()
  }
}
