import { sql } from 'kysely'
import type { BacklogCount } from '#contract/operations/health.ts'
import { defineBacklog } from '../../../backlog.ts'
import { defineMetric } from '../../../metric.ts'
import { isOfAccount, secondsSince } from '../../../platform/db/counting.ts'

/** How many of the longest overdue are examined. */
const MAX_EXAMINED = 200

/**
 * Deliveries to webhooks. Parked ones were tried for a day, or their webhook is switched off. Not overdue: those
 * waiting behind another one, or for a failing address.
 */
export const webhooksBacklog = defineBacklog('webhooks', async ({ countingDb }, account_id) => {
  const { rows } = await sql<BacklogCount>`
    with pending as (
      select count(*)::integer as waiting, (count(*) filter (where leased_until > clock_timestamp()))::integer as running,
        ${secondsSince(sql`created_at`)} as oldest_seconds
      from webhook_deliveries where state = 'pending' and ${isOfAccount(account_id)}
    ), parked as (
      select count(*)::integer as failed from webhook_deliveries where state = 'parked' and ${isOfAccount(account_id)}
    ), due as (
      select * from webhook_deliveries
      where state = 'pending' and next_attempt_at <= clock_timestamp() and ${isOfAccount(account_id)}
      order by next_attempt_at limit ${MAX_EXAMINED}
    ), overdue as (
      select ${secondsSince(sql`next_attempt_at`)} as overdue_seconds
      from due d join event_subscriptions s on s.account_id = d.account_id and s.id = d.subscription_id
      where s.failing_since is null and (d.leased_until is null or d.leased_until < clock_timestamp()) and not exists (
        select from webhook_deliveries e
        where e.account_id = d.account_id and e.subscription_id = d.subscription_id and e.order_key = d.order_key
          and e.state = 'pending' and e.seq < d.seq)
    )
    select * from pending, parked, overdue`.execute(countingDb)
  return rows[0]!
})

/** Webhooks by state. */
export const webhooksMetric = defineMetric('parley_webhooks', {
  help: 'Webhooks that work, that fail, or that were switched off because they failed for days.',
  type: 'gauge',
  labels: ['state'],
  async read({ countingDb }) {
    const { rows } = await sql<{ state: string; value: number }>`
      select state, count(s.id)::integer as value from unnest(array['working', 'failing', 'switched_off']) state
      left join event_subscriptions s on s.verified and state = case
        when s.switched_off_at is not null then 'switched_off' when s.failing_since is not null then 'failing' else 'working' end
      group by state`.execute(countingDb)
    return rows.map(({ state, value }) => ({ labels: { state }, value }))
  },
})
