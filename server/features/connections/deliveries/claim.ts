import { sql } from 'kysely'
import type { DeliveryKind } from '#contract/connections/deliveries.ts'
import type { IntegrationName } from '#contract/connections/integrations.ts'
import type { Db } from '../../../platform/db/change.ts'
import { CLAIM_SECONDS } from '../../../platform/jobs/claims.ts'
import { isServed } from '../../accounts/accounts/suspension.ts'
import { isHeld } from './is-held.ts'

/** A delivery claimed by this server. */
export interface Claimed {
  account_id: string
  id: string
  integration: IntegrationName
  authorization_id: string | null
  queue: string
  kind: DeliveryKind
  conversation_id: string | null
  message_id: string | null
  payload: Record<string, unknown>
  tries: number
  created_at: string
  /** Its tries are counted from here. */
  begun_at: string
  request_id: string | null
  /** The outcome of its last try is unknown. */
  was_unsure: boolean
}

/**
 * Claims due deliveries, the first of each queue. Until the outcome is recorded it is unknown whether they arrived,
 * which the row says.
 */
export async function claimDeliveries(db: Db, limit: number, busyGroups: string[]): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with due as (
      select d.account_id, d.id, d.is_unsure from deliveries d
      left join authorizations a on a.account_id = d.account_id and a.id = d.authorization_id
      where d.state = 'waiting' and d.not_before <= clock_timestamp()
        and (d.taken_until is null or d.taken_until < clock_timestamp())
        and (d.authorization_id is null or a.state = 'connected' and a.removed_at is null
          and (a.paused_until is null or a.paused_until < clock_timestamp()))
        and not ${isHeld('d')} and ${isServed('d.account_id')}
        and coalesce(d.authorization_id, d.account_id)::text <> all (${busyGroups}::text[])
        and not exists (
          select from deliveries e
          where e.account_id = d.account_id and e.integration = d.integration and e.queue = d.queue
            and e.authorization_id is not distinct from d.authorization_id
            and e.state = 'waiting' and e.number < d.number)
      order by d.not_before, d.number limit ${limit}
      for update of d skip locked
    )
    update deliveries d
    set taken_until = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS}), tries = d.tries + 1, is_unsure = true
    from due where d.account_id = due.account_id and d.id = due.id
    returning d.account_id, d.id, d.integration, d.authorization_id, d.queue, d.kind, d.conversation_id, d.message_id, d.payload, d.tries,
      d.created_at, d.begun_at, d.request_id, due.is_unsure as was_unsure`.execute(db)
  return rows
}

/** When the next delivery is due, if any is waiting. */
export async function findNextDelivery(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ next: string | null }>`
    select min(greatest(d.not_before, coalesce(d.taken_until, d.not_before), coalesce(a.paused_until, d.not_before))) as next
    from deliveries d left join authorizations a on a.account_id = d.account_id and a.id = d.authorization_id
    where d.state = 'waiting' and (d.authorization_id is null or a.state = 'connected' and a.removed_at is null)
      and not ${isHeld('d')} and ${isServed('d.account_id')}`.execute(db)
  return rows[0]?.next ?? undefined
}
