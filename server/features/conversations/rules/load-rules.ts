import { sql } from 'kysely'
import type { ConversationAction } from '#contract/conversations/conversation-actions.ts'
import type { RuleConditions } from '#contract/conversations/rule-conditions.ts'
import type { RuleTrigger } from '#contract/conversations/rule-triggers.ts'
import { type Context, perServer } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { type Evaluate, type Facts, prepareConditions } from './evaluate.ts'

/** A rule that is switched on, ready to be evaluated. */
export interface ActiveRule {
  id: string
  name: string
  position: number
  trigger: RuleTrigger
  conditions: RuleConditions
  actions: ConversationAction[]
  stops: boolean
  created_at: string
  /** It is not applied to what happened before. */
  switched_on_at: string
  evaluate: Evaluate
}

/** The rules of an account that are switched on, in their order; or only the one with this id. */
export async function loadActiveRules(db: Db, account_id: string, id?: string): Promise<ActiveRule[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('rules')
    .select(['id', 'name', 'position', 'trigger', 'conditions', 'actions', 'stops', 'created_at', 'switched_on_at'])
    .where('is_on', '=', true)
    .$if(id !== undefined, (query) => query.where('id', '=', id!))
    .orderBy('position')
    .orderBy('id')
    .$castTo<Omit<ActiveRule, 'evaluate'>>()
    .execute()
  return rows.map((row) => ({ ...row, evaluate: prepareConditions(row.conditions) }))
}

/** Accounts whose rules are kept ready: most have few rules, and only some are busy at a time. */
const MAX_KEPT = 100

interface Kept {
  fingerprint: string
  rules: ActiveRule[]
}

const keptBy = perServer(() => new Map<string, Kept>())

/**
 * The same, kept ready on this server until one of them changes: reading and preparing a thousand rules for each batch of
 * events would hold up the requests of everybody.
 */
export async function readActiveRules(context: Context, db: Db, account_id: string): Promise<ActiveRule[]> {
  const kept = keptBy(context)
  const fingerprint = await fingerprintOf(db, account_id)
  const existing = kept.get(account_id)
  if (existing?.fingerprint === fingerprint) return existing.rules
  const rules = await loadActiveRules(db, account_id)
  kept.delete(account_id)
  kept.set(account_id, { fingerprint, rules })
  const [oldest] = kept.keys()
  if (kept.size > MAX_KEPT && oldest) kept.delete(oldest)
  return rules
}

/** Changes with every change of a rule: `xmin` is the transaction that wrote a row last, whatever the clock said. */
async function fingerprintOf(db: Db, account_id: string): Promise<string> {
  const { fingerprint } = await ofAccount(db, account_id)
    .selectFrom('rules')
    .select(sql<string>`coalesce(md5(string_agg(id::text || xmin::text, ',' order by id)), '')`.as('fingerprint'))
    .where('is_on', '=', true)
    .executeTakeFirstOrThrow()
  return fingerprint
}

/** The rules that match, in their order; none behind one that stops. */
export function matching(rules: ActiveRule[], facts: Facts): ActiveRule[] {
  const matches: ActiveRule[] = []
  for (const rule of rules) {
    if (rule.evaluate(facts)) continue
    matches.push(rule)
    if (rule.stops) break
  }
  return matches
}
