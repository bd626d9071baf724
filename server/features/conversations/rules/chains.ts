import { sql } from 'kysely'
import { readLink, runMark } from '../../../platform/automation-chain.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { isActionNeeded } from './actions.ts'
import type { Happening } from './happenings.ts'
import { reportProblem } from './rules.ts'
import type { DecidedEvent } from './store-events.ts'

/** The rules that led to what happened, by the event for which they ran and the mark of the rule. */
export async function findCauses(
  db: Db,
  account_id: string,
  happenings: Pick<Happening, 'request_id'>[],
): Promise<Map<string, string>> {
  const ids = new Set(happenings.flatMap(({ request_id }) => readLink(request_id)?.cause_id ?? []))
  if (ids.size === 0) return new Map()
  const rows = await ofAccount(db, account_id)
    .selectFrom('rule_runs')
    .select(['event_id', 'rule_id'])
    .where('event_id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ event_id, rule_id }) => [`${event_id} ${runMark(rule_id)}`, rule_id]))
}

/**
 * Stops a chain. If a rule would run again in it, and change something again, the rules of the chain undo each other: all
 * are switched off and say so. Otherwise the chain is only too long, and the rule that did not run says so.
 */
export async function reportChain(tx: Change, account_id: string, event: DecidedEvent): Promise<void> {
  const needed = event.matches.filter(({ actions }) => actions.some((action) => isActionNeeded(action, event.state)))
  if (needed.length === 0) return
  const chain = await listChain(tx.db, account_id, event)
  const repeated = needed.some(({ id }) => chain.has(id))
  if (repeated) await reportProblem(tx, account_id, [...chain], 'loop')
  else
    await reportProblem(
      tx,
      account_id,
      needed.map(({ id }) => id),
      'chain',
    )
}

/** The rules whose runs led to an event. */
async function listChain(db: Db, account_id: string, event: DecidedEvent): Promise<Set<string>> {
  const { rows } = await sql<{ rule_id: string }>`
    with recursive chain (caused_by, rule_id) as (
      select ${event.caused_by}::uuid, ${event.caused_by_rule}::uuid
      union
      select e.caused_by, e.caused_by_rule from chain
      join rule_events e on e.account_id = ${account_id} and e.id = chain.caused_by
    )
    select distinct rule_id from chain where rule_id is not null`.execute(db)
  return new Set(rows.map(({ rule_id }) => rule_id))
}
