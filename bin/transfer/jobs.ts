import { type ConnectionConfig, connect } from '#server/platform/db/connection.ts'
import { openBoss } from '#server/platform/jobs/jobs.ts'
import { DEAD, type JobQueue, prepareQueues } from '#server/platform/jobs/queues.ts'
import type { Log } from '#server/platform/log.ts'
import type { Table } from './tables.ts'

/**
 * Work that stands nowhere but in its queue: mails to be sent or waiting for their moment, imports, files to be removed,
 * and what failed for good and may be tried again. What is done on a schedule comes round by itself; it is done for no account. Whether
 * a job runs just now is not written down: on the other side it waits, with the tries it has left.
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

/** Makes the queues that jobs wait in, also where no server has run yet. */
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
