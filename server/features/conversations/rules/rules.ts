import { sql } from 'kysely'
import { foldText } from '#contract/conversations/attribute-conditions.ts'
import { isConditionValid } from '#contract/conversations/rule-conditions.ts'
import {
  MAX_RULES,
  type Rule,
  type RuleChanges,
  type RuleDraft,
  type RuleProblem,
  rulesUpdated,
} from '#contract/conversations/rules.ts'
import { Invalid, NotFound, Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { type Change, type Db, fieldChanges } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { setPositions } from '../../../platform/db/positions.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'
import { lockAccount } from '../../accounts/accounts/accounts.ts'
import { recordAudit, recordChanges } from '../../accounts/audit/audit.ts'
import { missingTargets } from './targets.ts'
import { beginWaits } from './waits.ts'

const columns = [
  'id',
  'name',
  'position',
  'is_on',
  'trigger',
  'conditions',
  'actions',
  'stops',
  'problem',
  'created_at',
  'updated_at',
] as const

type RuleRow = Omit<Rule, 'object' | 'run_count' | 'last_run_at'>
type Runs = Pick<Rule, 'run_count' | 'last_run_at'>

/** All rules of an account in their order, with how often they ran within 30 days. */
export async function listRules(db: Db, account_id: string): Promise<Rule[]> {
  const [rows, runs] = await Promise.all([
    selectRules(db, account_id).orderBy('position').orderBy('id').execute(),
    countRuns(db, account_id),
  ])
  return rows.map((row) => presentRule(row, runs.get(row.id)))
}

/** @throws NotFound */
export async function getRule(db: Db, account_id: string, id: string): Promise<Rule> {
  const row = await selectRules(db, account_id).where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  return presentRule(row, (await countRuns(db, account_id)).get(id))
}

function selectRules(db: Db, account_id: string) {
  return ofAccount(db, account_id).selectFrom('rules').select(columns).$castTo<RuleRow>()
}

function presentRule(row: RuleRow, runs: Runs = { run_count: 0, last_run_at: null }): Rule {
  return { ...row, object: 'rule', ...runs }
}

async function countRuns(db: Db, account_id: string): Promise<Map<string, Runs>> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('rule_runs')
    .select(['rule_id', sql<number>`count(*)::int`.as('run_count'), sql<string>`max(created_at)`.as('last_run_at')])
    .groupBy('rule_id')
    .execute()
  return new Map(rows.map(({ rule_id, ...runs }) => [rule_id, runs]))
}

/** @throws Invalid if a condition does not fit the trigger, or something that it names does not exist */
export async function createRule(tx: Change, caller: User, draft: RuleDraft): Promise<Rule> {
  const { account_id, user_id } = caller
  // Two at the same time must not get one position, nor be one rule too many.
  await lockAccount(tx, account_id)
  const { count, last } = await ofAccount(tx.db, account_id)
    .selectFrom('rules')
    .select([sql<number>`count(*)::int`.as('count'), sql<number>`coalesce(max(position), 0)`.as('last')])
    .executeTakeFirstOrThrow()
  if (count >= MAX_RULES) throw new Unacceptable(`There are ${MAX_RULES} rules already. Delete one first.`)
  await assertValid(tx.db, account_id, draft)
  const row = await tx.db
    .insertInto('rules')
    .values({
      account_id,
      id: newId(),
      ...toColumns(draft),
      ...draftColumns(draft),
      position: last + 1,
      created_by_id: user_id,
    })
    .returning(columns)
    .$castTo<RuleRow>()
    .executeTakeFirstOrThrow()
  if (row.is_on) await beginWaits(tx, account_id, row)
  await recordAudit(tx, caller, { action: 'rule.created', subject_id: row.id, subject_name: row.name })
  tx.announce(account_id, rulesUpdated, { rules: { ids: [row.id] } })
  return presentRule(row)
}

function draftColumns({ name, trigger, conditions, actions }: RuleDraft) {
  return {
    name,
    trigger: toJson(trigger),
    conditions: toJson(conditions),
    actions: toJson(actions),
  }
}

/** Changes a rule. Switching it on, or changing what it does, clears its problem. */
export async function updateRule(tx: Change, caller: User, id: string, changes: RuleChanges): Promise<Rule> {
  const { account_id } = caller
  const before = await selectRules(tx.db, account_id).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!before) throw new NotFound()
  const next = { ...before, ...changes }
  if (next.is_on || changes.trigger || changes.conditions || changes.actions) await assertValid(tx.db, account_id, next)
  const isSwitchedOn = next.is_on && !before.is_on
  const isRepaired = changes.is_on || changes.trigger || changes.conditions || changes.actions
  const row = await ofAccount(tx.db, account_id)
    .updateTable('rules')
    .set({
      ...toColumns(changes),
      ...(isRepaired && { problem: null }),
      ...(isSwitchedOn && { switched_on_at: sql<string>`now()` }),
      updated_at: new Date().toISOString(),
    })
    .where('id', '=', id)
    .returning(columns)
    .$castTo<RuleRow>()
    .executeTakeFirstOrThrow()
  if (isSwitchedOn || (row.is_on && changes.trigger)) await beginWaits(tx, account_id, row)
  await recordChanges(
    tx,
    caller,
    { action: 'rule.updated', subject_id: id, subject_name: row.name },
    fieldChanges(before, changes),
  )
  tx.announce(account_id, rulesUpdated, { rules: { ids: [id] } })
  return getRule(tx.db, account_id, id)
}

function toColumns({ trigger, conditions, actions, ...plain }: RuleChanges) {
  return {
    ...plain,
    ...(trigger && { trigger: toJson(trigger) }),
    ...(conditions && { conditions: toJson(conditions) }),
    ...(actions && { actions: toJson(actions) }),
  }
}

/** Puts rules into an order; those that are not named stay behind them. */
export async function reorderRules(tx: Change, caller: User, ids: string[]): Promise<Rule[]> {
  const { account_id } = caller
  const rows = await ofAccount(tx.db, account_id)
    .selectFrom('rules')
    .select('id')
    .orderBy('position')
    .orderBy('id')
    .forUpdate()
    .execute()
  const existing = new Set(rows.map(({ id }) => id))
  if (!ids.every((id) => existing.has(id))) throw new Invalid({ ids: ['does not exist'] })
  const order = [...new Set([...ids, ...existing])]
  await setPositions(tx, 'rules', account_id, order)
  await recordAudit(tx, caller, { action: 'rule.reordered' })
  tx.announce(account_id, rulesUpdated, { rules: { ids: order } })
  return listRules(tx.db, account_id)
}

/** Deletes a rule. Its runs stay, with its name. */
export async function deleteRule(tx: Change, caller: User, id: string): Promise<null> {
  const { account_id } = caller
  const row = await ofAccount(tx.db, account_id)
    .deleteFrom('rules')
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  if (!row) throw new NotFound()
  await recordAudit(tx, caller, { action: 'rule.deleted', subject_id: id, subject_name: row.name })
  tx.announce(account_id, rulesUpdated, { rules: { ids: [id] } })
  return null
}

/** Switches rules off, or only marks those of too long a chain, and says so in the audit trail and to the team. */
export async function reportProblem(
  tx: Change,
  account_id: string,
  ids: string[],
  problem: RuleProblem,
): Promise<void> {
  const rows = await ofAccount(tx.db, account_id)
    .updateTable('rules')
    .set({ problem, ...(problem !== 'chain' && { is_on: false }), updated_at: new Date().toISOString() })
    .where('id', 'in', ids)
    .where((eb) => eb.or([eb('problem', 'is', null), eb('problem', '!=', problem)]))
    .returning(['id', 'name'])
    .execute()
  if (rows.length === 0) return
  const nobody = { account_id, user_id: null, address: '' }
  for (const { id, name } of rows)
    await recordAudit(tx, nobody, { action: 'rule.stopped', subject_id: id, subject_name: name, details: { problem } })
  tx.announce(account_id, rulesUpdated, { rules: { ids: rows.map(({ id }) => id) } })
}

async function assertValid(db: Db, account_id: string, rule: Pick<RuleDraft, 'trigger' | 'conditions' | 'actions'>) {
  assertConditions(rule)
  if ((await missingTargets(db, account_id, [rule])).size > 0)
    throw new Unacceptable(
      'This rule names a person, team, tag, inbox or attribute that no longer exists. Choose another one.',
    )
}

/** @throws Invalid if a condition does not fit the trigger or the table of fields */
export function assertConditions({ trigger, conditions }: Pick<RuleDraft, 'trigger' | 'conditions'>): void {
  for (const condition of conditions.flat()) {
    if (!isConditionValid(condition, trigger.on))
      throw new Invalid({ conditions: [`of ${condition.field} is invalid`] })
    const isText = ['contains', 'contains_none', 'starts_with'].includes(condition.operator)
    if (isText && !condition.values.every((value) => foldText(value)))
      throw new Invalid({ conditions: [`of ${condition.field} needs a letter or a number`] })
  }
}
