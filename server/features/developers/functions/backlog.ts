import { sql } from 'kysely'
import type { BacklogCount } from '#contract/operations/health.ts'
import { defineBacklog } from '../../../backlog.ts'
import { isOfAccount, secondsSince } from '../../../platform/db/counting.ts'

/** Runs of functions. Failed runs are not retried, so only those of the last day are counted. */
export const functionsBacklog = defineBacklog('function_runs', async ({ countingDb }, account_id) => {
  const { rows } = await sql<BacklogCount>`
    select waiting, running, failed, oldest_seconds, oldest_seconds as overdue_seconds from (
      select count(*)::integer as waiting, ${secondsSince(sql`created_at`)} as oldest_seconds
      from function_runs where state = 'queued' and ${isOfAccount(account_id)}
    ) queued, (
      select count(*)::integer as running from function_runs where state = 'running' and ${isOfAccount(account_id)}
    ) running, (
      select count(*)::integer as failed from function_runs
      where state = 'failed' and created_at > now() - interval '1 day' and ${isOfAccount(account_id)}
    ) failed`.execute(countingDb)
  return rows[0]!
})
