import { sql } from 'kysely'
import type { BacklogCount } from '#contract/operations/health.ts'
import { defineBacklog } from '../../../backlog.ts'
import { isOfAccount, secondsSince } from '../../../platform/db/counting.ts'

/** How many of the longest overdue are examined. */
const MAX_EXAMINED = 200

/**
 * Deliveries over connections. Not overdue: those waiting behind another one, for a paused connection, or for one that
 * a person has to reconnect.
 */
export const deliveriesBacklog = defineBacklog('deliveries', async ({ countingDb }, account_id) => {
  const { rows } = await sql<BacklogCount>`
    with waiting as (
      select count(*)::integer as waiting, (count(*) filter (where taken_until > clock_timestamp()))::integer as running,
        ${secondsSince(sql`created_at`)} as oldest_seconds
      from deliveries where state = 'waiting' and ${isOfAccount(account_id)}
    ), failed as (
      select count(*)::integer as failed from deliveries where state = 'failed' and ${isOfAccount(account_id)}
    ), due as (
      select * from deliveries
      where state = 'waiting' and not_before <= clock_timestamp() and ${isOfAccount(account_id)}
      order by not_before limit ${MAX_EXAMINED}
    ), overdue as (
      select ${secondsSince(sql`greatest(d.not_before, a.paused_until)`)} as overdue_seconds
      from due d left join authorizations a on a.account_id = d.account_id and a.id = d.authorization_id
      where (d.taken_until is null or d.taken_until < clock_timestamp())
        and (d.authorization_id is null or a.state = 'connected' and a.removed_at is null
          and (a.paused_until is null or a.paused_until < clock_timestamp()))
        and not exists (
          select from deliveries e
          where e.account_id = d.account_id and e.integration = d.integration and e.queue = d.queue
            and e.authorization_id is not distinct from d.authorization_id
            and e.state = 'waiting' and e.number < d.number)
    )
    select * from waiting, failed, overdue`.execute(countingDb)
  return rows[0]!
})
