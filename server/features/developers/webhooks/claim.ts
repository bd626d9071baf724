import { sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import { isServed } from '../../accounts/accounts/suspension.ts'

/** After this many seconds a server that began to send counts as dead. */
const LEASE_SECONDS = 60

/** A delivery claimed by this server. */
export interface Claimed {
  account_id: string
  id: string
  subscription_id: string
  order_key: string
  attempts: number
  begun_at: string
  request_id: string | null
  isFailing: boolean
}

/**
 * Claims due deliveries that have no earlier one pending: those about one conversation are sent one after the other.
 * Rows that another server is claiming are skipped. Each webhook is queried separately, so that the queue of a busy one
 * is not read.
 */
export async function claimDue(db: Db, { limit, busy }: { limit: number; busy: string[] }): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with due as (
      select first.account_id, first.id from event_subscriptions s
      cross join lateral (
        select d.account_id, d.id, d.next_attempt_at, d.seq from webhook_deliveries d
        where d.account_id = s.account_id and d.subscription_id = s.id
          and d.state = 'pending' and d.next_attempt_at <= clock_timestamp()
          and (d.leased_until is null or d.leased_until < clock_timestamp())
          and not exists (
            select from webhook_deliveries e
            where e.account_id = d.account_id and e.subscription_id = d.subscription_id and e.order_key = d.order_key
              and e.state = 'pending' and e.seq < d.seq)
        order by d.next_attempt_at, d.seq limit ${limit}
        for update of d skip locked
      ) first
      where s.id <> all (${busy}::uuid[]) and ${isServed('s.account_id')}
      order by first.next_attempt_at, first.seq limit ${limit}
    )
    update webhook_deliveries d
    set leased_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    from due, event_subscriptions s
    where d.account_id = due.account_id and d.id = due.id
      and s.account_id = d.account_id and s.id = d.subscription_id
    returning d.account_id, d.id, d.subscription_id, d.order_key, d.attempts, d.begun_at, d.request_id,
      s.failing_since is not null as "isFailing"`.execute(db)
  return rows
}

/** When the next unclaimed delivery is due, if any is waiting. */
export async function findNextDue(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ next: string | null }>`
    select least(
      (select next_attempt_at from webhook_deliveries
        where state = 'pending' and leased_until is null and ${isServed('webhook_deliveries.account_id')}
        order by next_attempt_at limit 1),
      (select min(greatest(next_attempt_at, leased_until)) from webhook_deliveries
        where state = 'pending' and leased_until is not null and ${isServed('webhook_deliveries.account_id')})) as next`.execute(
    db,
  )
  return rows[0]?.next ?? undefined
}
