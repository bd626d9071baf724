import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { OperatorError } from '#server/platform/operator-error.ts'

/** Connections of a server that was just stopped take a moment to end. */
const TIMEOUT_MS = 2_000
const STEP_MS = 100

/**
 * A running server would keep using its old key and tables.
 * @throws OperatorError when one is connected
 */
export async function assertNoServerRuns(client: pg.Client): Promise<void> {
  for (let waited = 0; waited < TIMEOUT_MS; waited += STEP_MS) {
    const { rows } = await client.query(
      `select 1 from pg_stat_activity where datname = current_database() and application_name in ('parley', 'parley searches')`,
    )
    if (rows.length === 0) return
    await client.query('select pg_stat_clear_snapshot()')
    await sleep(STEP_MS)
  }
  throw new OperatorError(
    'A server is running on this database, with another key or version than the file. Stop every server and try again.',
  )
}
