import { isConditionValid, type RuleCondition } from '#contract/conversations/rule-conditions.ts'
import type { RuleTriggerName } from '#contract/conversations/rule-triggers.ts'
import { toActs } from './actions.ts'
import {
  attributeCondition,
  chosen,
  commonField,
  compared,
  type Filter,
  inLists,
  named,
  readFilters,
} from './filters.ts'
import { textOf } from './lists.ts'
import { type MovedAccount, NoEqual, type StagedRow } from './moved-account.ts'

const MAX_NAME = 100
const MAX_ANSWER = 5_000
const STATUSES = { open: 'open', resolved: 'closed' }
/** Events that are a conversation's new status. */
const NEW_STATUS: Record<string, 'open' | 'closed'> = { conversation_opened: 'open', conversation_resolved: 'closed' }
const SENDERS: Record<string, RuleTriggerName> = {
  incoming: 'customer_message',
  '0': 'customer_message',
  outgoing: 'team_message',
  '1': 'team_message',
}

/**
 * An automation rule, switched off: somebody has to look at it before it acts on customers again.
 * @throws NoEqual
 */
export function ruleOf(moved: MovedAccount, row: StagedRow) {
  const all = readFilters(row.conditions)
  const { on, filters, also } = triggerOf(textOf(row.event_name), all)
  const conditions = inLists(
    filters,
    filters.map((filter) => ruleCondition(moved, filter, on)),
  )
  const { actions, messages } = toActs(moved, row.actions)
  for (const body of messages) {
    if (body.includes('{{') || body.includes('{%')) throw new NoEqual('sends a text with places to fill in')
    if (!body || body.length > MAX_ANSWER) throw new NoEqual('sends a text that is empty or too long')
    actions.push({ action: 'answer', body })
  }
  if (actions.length === 0) throw new NoEqual('does nothing')
  const name = textOf(row.name).slice(0, MAX_NAME) || 'Rule'
  return { name, is_on: false, trigger: { on }, conditions: [...also, ...conditions], actions, stops: false }
}

/** What starts it, the conditions that are left, and those that the event stands for. */
function triggerOf(
  event: string,
  filters: Filter[],
): { on: RuleTriggerName; filters: Filter[]; also: RuleCondition[][] } {
  if (event === 'conversation_created') return { on: 'conversation_created', filters, also: [] }
  if (event === 'conversation_updated') return { on: 'conversation_changed', filters, also: [] }
  const status = NEW_STATUS[event]
  if (status) {
    const changed: RuleCondition = { field: 'changed', operator: 'is', values: ['status'] }
    const is: RuleCondition = { field: 'status', operator: 'is', values: [status] }
    return { on: 'conversation_changed', filters, also: [[changed], [is]] }
  }
  if (event !== 'message_created') throw new NoEqual(`starts by the event ${event || 'without a name'}`)
  const [who, ...more] = filters.filter(({ key }) => key === 'message_type')
  const on = SENDERS[who?.values[0] ?? '']
  const isPlain = who?.operator === 'equal_to' && who.values.length === 1 && more.length === 0
  if (!on || !isPlain || filters.slice(0, -1).some(({ isOr }) => isOr)) {
    throw new NoEqual('starts by messages of customers and of the team alike')
  }
  return { on, filters: filters.filter((filter) => filter !== who), also: [] }
}

function ruleCondition(moved: MovedAccount, filter: Filter, on: RuleTriggerName): RuleCondition {
  const condition = (attributeCondition(moved, filter) ??
    commonField(moved, filter) ??
    ownField(filter)) as RuleCondition
  if (!isConditionValid(condition, on)) throw new NoEqual(`compares ${filter.key} by ${filter.operator}`)
  return condition
}

function ownField(filter: Filter) {
  const { key } = filter
  switch (key) {
    case 'status':
      return { field: 'status', ...chosen(filter, (status) => named(STATUSES, key, status)) }
    case 'content':
      return { field: 'text', ...compared(filter) }
    case 'email':
      return { field: 'customer_email', ...compared(filter) }
    default:
      throw new NoEqual(`looks at ${key || 'nothing'}`)
  }
}
