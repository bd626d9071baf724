import { sql } from 'kysely'
import type { IntegrationName } from '#contract/connections/integrations.ts'
import type { Db } from '../../../platform/db/change.ts'
import { CLAIM_SECONDS } from '../../../platform/jobs/claims.ts'
import { isServed } from '../../accounts/accounts/suspension.ts'

/** How many seconds a failing event delays its queue. */
const HOLDS_UP_SECONDS = 60

/** An event claimed by this server. */
export interface Claimed {
  account_id: string
  id: string
  integration: IntegrationName
  authorization_id: string | null
  key: string
  payload: Record<string, unknown> | null
  file_key: string | null
  tries: number
  /** How often it ended the process that read it. */
  workers_killed: number
  created_at: string
  request_id: string | null
}

/** Claims due events that have no earlier unprocessed one in their queue. */
export async function claimInbound(db: Db, limit: number, busyAccounts: string[]): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with due as (
      select i.account_id, i.id from inbound_events i
      where i.state = 'waiting' and i.not_before <= clock_timestamp()
        and (i.taken_until is null or i.taken_until < clock_timestamp())
        and i.account_id <> all (${busyAccounts}::uuid[]) and ${isServed('i.account_id')}
        and not exists (
          select from inbound_events e
          where e.account_id = i.account_id and e.integration = i.integration and e.queue = i.queue
            and e.state = 'waiting' and e.seq < i.seq
            and (e.failing_since is null or e.failing_since > clock_timestamp() - make_interval(secs => ${HOLDS_UP_SECONDS})))
      order by i.not_before, i.seq limit ${limit}
      for update of i skip locked
    )
    update inbound_events i
    set taken_until = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS}), tries = i.tries + 1
    from due where i.account_id = due.account_id and i.id = due.id
    returning i.account_id, i.id, i.integration, i.authorization_id, i.key, i.payload, i.file_key, i.tries, i.workers_killed, i.created_at, i.request_id`.execute(
    db,
  )
  return rows
}

/** When the next event is due, if any is waiting. */
export async function findNextInbound(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ next: string | null }>`
    select min(greatest(not_before, coalesce(taken_until, not_before))) as next
    from inbound_events where state = 'waiting' and ${isServed('inbound_events.account_id')}`.execute(db)
  return rows[0]?.next ?? undefined
}
