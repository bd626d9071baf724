import type { ConversationAction } from '#contract/conversations/conversation-actions.ts'
import type { RuleConditions } from '#contract/conversations/rule-conditions.ts'
import type { RuleTrigger } from '#contract/conversations/rule-triggers.ts'
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
  evaluate: Evaluate
}

/** The rules of an account that are switched on, in their order; or only the one with this id. */
export async function loadActiveRules(db: Db, account_id: string, id?: string): Promise<ActiveRule[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('rules')
    .select(['id', 'name', 'position', 'trigger', 'conditions', 'actions', 'stops', 'created_at'])
    .where('is_on', '=', true)
    .$if(id !== undefined, (query) => query.where('id', '=', id!))
    .orderBy('position')
    .orderBy('id')
    .$castTo<Omit<ActiveRule, 'evaluate'>>()
    .execute()
  return rows.map((row) => ({ ...row, evaluate: prepareConditions(row.conditions) }))
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
