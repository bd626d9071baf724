import { sql } from 'kysely'
import type { RuleTriggerName } from '#contract/conversations/rule-triggers.ts'
import type { Change } from '../../../platform/db/change.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import type { RuleState } from './facts.ts'
import type { ActiveRule } from './load-rules.ts'

/** An event with the rules that matched it. */
export interface DecidedEvent {
  id: string
  conversation_id: string
  trigger: RuleTriggerName
  message_id: string | null
  /** Of time that passed: the rule whose time it is. */
  rule_id: string | null
  state: RuleState
  depth: number
  caused_by: string | null
  caused_by_rule: string | null
  matches: ActiveRule[]
}

/**
 * Stores events with their runs. An event that exists is left alone.
 * @returns the jobs to enqueue: one for each new event that a rule matched
 */
export async function storeEvents(
  { db }: Change,
  account_id: string,
  events: DecidedEvent[],
): Promise<{ payload: { account_id: string; event_id: string; conversation_id: string } }[]> {
  if (events.length === 0) return []
  const rows = events.map(({ matches, state, ...event }) => ({ account_id, ...event, state: toJson(state) }))
  const stored = await db
    .insertInto('rule_events')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  const ids = new Set(stored.map(({ id }) => id))
  const matched = events.filter(({ id, matches }) => ids.has(id) && matches.length > 0)
  const runs = matched.flatMap(({ id: event_id, conversation_id, matches }) =>
    matches.map(({ id: rule_id, name: rule_name, position, actions }) => ({
      account_id,
      event_id,
      rule_id,
      rule_name,
      position,
      conversation_id,
      actions: toJson(actions),
    })),
  )
  if (runs.length === 0) return []
  await db.insertInto('rule_runs').values(runs).execute()
  return matched.map(({ id: event_id, conversation_id }) => ({ payload: { account_id, event_id, conversation_id } }))
}

/** Deletes events, with their runs, after 30 days. */
export const RULE_EVENTS_EXPIRED = sql<boolean>`created_at < now() - interval '30 days'`
