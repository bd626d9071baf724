import { sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { isServed } from '../../accounts/accounts/suspension.ts'

/** After this a server that began a run counts as dead: longer than starting a process and running a function takes. */
const LEASE_SECONDS = 60
/** Concurrent runs of one account, on all servers. */
const AT_ONCE = 2

/** A run claimed by this server. */
export interface ClaimedRun {
  account_id: string
  id: string
  function_id: string
  event: string
  payload: unknown
  code: string
  modules: Record<string, string>
  request_id: string | null
  depth: number
}

/**
 * Claims waiting runs of all accounts but those left out: few per account, and those of one function about the same conversation one after the other. Rows
 * that another server is claiming are skipped.
 */
export async function claimRuns(db: Db, limit: number, leftOut: string[]): Promise<ClaimedRun[]> {
  const { rows } = await sql<ClaimedRun>`
    with busy as (
      select account_id, count(*) as count from function_runs where state = 'running' group by account_id
    ), candidates as (
      select r.account_id, r.id, r.seq,
        row_number() over (partition by r.account_id order by r.seq) + coalesce(b.count, 0) as place
      from function_runs r left join busy b using (account_id)
      where r.state = 'queued' and r.account_id <> all (${leftOut}::uuid[]) and ${isServed('r.account_id')} and not exists (
        select from function_runs e
        where e.account_id = r.account_id and e.function_id = r.function_id and e.conversation_id = r.conversation_id
          and e.state in ('queued', 'running') and e.seq < r.seq)
    ), taken as (
      select r.account_id, r.id from function_runs r join candidates c using (account_id, id)
      where c.place <= ${AT_ONCE} and r.state = 'queued'
      order by r.seq limit ${limit}
      for update of r skip locked
    )
    update function_runs r
    set state = 'running', started_at = clock_timestamp(),
      leased_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    from taken, functions f
    where r.account_id = taken.account_id and r.id = taken.id
      and f.account_id = r.account_id and f.id = r.function_id
    returning r.account_id, r.id, r.function_id, r.event, r.payload, f.deployed_code as code, f.modules, r.request_id, r.depth`.execute(
    db,
  )
  return rows
}

/**
 * Marks runs of a dead server as failed: what they did is unknown, and repeating it might send a customer the same
 * message twice.
 */
export async function failAbandonedRuns(db: Db): Promise<void> {
  const error = {
    errorType: 'Error',
    errorMessage: 'The server stopped while the function ran. What the function had done by then is not undone.',
    trace: [],
  }
  await sql`
    update function_runs set state = 'failed', payload = null, leased_until = null, error = ${toJson(error)}
    where state = 'running' and leased_until < clock_timestamp()`.execute(db)
}
