import { sql } from 'kysely'
import type { BacklogCount } from '#contract/operations/health.ts'
import { defineBacklog } from '../../../backlog.ts'
import { isOfAccount, secondsSince } from '../../../platform/db/counting.ts'

/** Events received over connections that were not processed yet. */
export const inboundBacklog = defineBacklog('inbound_events', async ({ countingDb }, account_id) => {
  const { rows } = await sql<BacklogCount>`
    select waiting, running, failed, oldest_seconds, overdue_seconds from (
      select count(*)::integer as waiting, (count(*) filter (where taken_until > clock_timestamp()))::integer as running,
        ${secondsSince(sql`created_at`)} as oldest_seconds,
        ${secondsSince(sql`case when taken_until > clock_timestamp() then null else not_before end`)} as overdue_seconds
      from inbound_events where state = 'waiting' and ${isOfAccount(account_id)}
    ) waiting, (
      select count(*)::integer as failed from inbound_events where state = 'failed' and ${isOfAccount(account_id)}
    ) failed`.execute(countingDb)
  return rows[0]!
})
