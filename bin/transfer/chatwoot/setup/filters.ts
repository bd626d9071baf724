import type { AttributeOperator } from '#contract/conversations/attribute-conditions.ts'
import { NOBODY } from '#contract/conversations/rule-conditions.ts'
import type { AttributeSubject } from '#contract/customers/attributes.ts'
import { listIn, objectIn, textOf } from './lists.ts'
import { attributeName, find, type MovedAccount, NoEqual } from './moved-account.ts'

/** One condition of Chatwoot's filters and automation rules. */
export interface Filter {
  key: string
  /** Of attributes of the account's own. */
  subject: AttributeSubject | undefined
  operator: string
  values: string[]
  /** How it is joined with the next one. */
  isOr: boolean
}

const SUBJECTS: Record<string, AttributeSubject> = {
  conversation_attribute: 'conversation',
  contact_attribute: 'customer',
}

/** Values are texts, numbers, or objects with an id. */
export function readFilters(raw: unknown): Filter[] {
  return listIn(raw).map((row) => {
    const values = Array.isArray(row.values) ? row.values : row.values == null ? [] : [row.values]
    return {
      key: textOf(row.attribute_key),
      subject: SUBJECTS[textOf(row.custom_attribute_type)],
      operator: textOf(row.filter_operator),
      values: values.map((value) => textOf(value) || textOf(objectIn(value).id)),
      isOr: textOf(row.query_operator).toLowerCase() === 'or',
    }
  })
}

/** Longer ones are no conditions that anybody could read. */
const MAX_LISTS = 10

/**
 * Conditions in the form of Parley: lists that all must hold, in each of which one is enough. In Chatwoot AND binds more
 * tightly than OR, as in SQL, so `a AND b OR c` is (a or c) and (b or c).
 * @throws NoEqual if that would be too many lists
 */
export function inLists<Condition>(filters: Filter[], conditions: Condition[]): Condition[][] {
  const alternatives: Condition[][] = [[]]
  for (const [at, condition] of conditions.entries()) {
    alternatives.at(-1)!.push(condition)
    if (filters[at]!.isOr && at < conditions.length - 1) alternatives.push([])
  }
  let lists: Condition[][] = [[]]
  for (const all of alternatives) {
    lists = lists.flatMap((list) => all.map((condition) => [...list, condition]))
    if (lists.length > MAX_LISTS) throw new NoEqual('joins too many conditions')
  }
  return conditions.length === 0 ? [] : lists
}

const CHOICES: Record<string, 'is' | 'is_not'> = { equal_to: 'is', not_equal_to: 'is_not' }
const TEXTS: Record<string, AttributeOperator> = {
  equal_to: 'is',
  not_equal_to: 'is_not',
  contains: 'contains',
  does_not_contain: 'contains_none',
  starts_with: 'starts_with',
  is_present: 'is_set',
  is_not_present: 'is_not_set',
}
const PRIORITIES: Record<string, string> = {
  urgent: 'priority',
  high: 'priority',
  medium: 'not_priority',
  low: 'not_priority',
}

interface Comparison<Operator> {
  operator: Operator
  values: string[]
}

/** @throws NoEqual for an operator or a value that the field does not have here */
export function chosen(
  { key, operator, values }: Filter,
  equalOf: (value: string) => string,
): Comparison<'is' | 'is_not'> {
  // Whether anybody, or any team, has it.
  if (operator === 'is_present') return { operator: 'is_not', values: [equalOf(NOBODY)] }
  if (operator === 'is_not_present') return { operator: 'is', values: [equalOf(NOBODY)] }
  const ours = CHOICES[operator]
  if (!ours) throw new NoEqual(`compares ${key} by ${operator}`)
  if (values.length === 0) throw new NoEqual(`compares ${key} with nothing`)
  return { operator: ours, values: [...new Set(values.map(equalOf))] }
}

/** A condition on a field that views and rules have in common; undefined for others. */
export function commonField(moved: MovedAccount, filter: Filter) {
  const { key } = filter
  const orNobody = (ids: Map<string, unknown>, kind: string) => (value: string) =>
    value === NOBODY ? NOBODY : String(find(ids, value, kind))
  const toId = (ids: Map<string, unknown>, kind: string) => (value: string) => String(find(ids, value, kind))
  switch (key) {
    case 'assignee_id':
      return { field: 'assignee' as const, ...chosen(filter, orNobody(moved.users, 'person')) }
    case 'team_id':
      return { field: 'team' as const, ...chosen(filter, orNobody(moved.teams, 'team')) }
    case 'inbox_id':
      return { field: 'inbox' as const, ...chosen(filter, toId(moved.inboxes, 'inbox')) }
    case 'labels':
      return {
        field: 'tags' as const,
        ...chosen(filter, (name) => String(find(moved.tags, name.toLowerCase(), 'label'))),
      }
    case 'priority':
      return { field: 'priority' as const, ...chosen(filter, (grade) => named(PRIORITIES, key, grade)) }
    case 'mail_subject':
      return { field: 'subject' as const, ...compared(filter) }
    case 'browser_language':
      return { field: 'customer_language' as const, ...compared(filter) }
  }
}

/** @throws NoEqual for a name that is not in the table */
export function named(table: Record<string, string>, key: string, value: string): string {
  const ours = table[value]
  if (!ours) throw new NoEqual(`compares ${key} with ${value}`)
  return ours
}

/** How a text is compared. @throws NoEqual */
export function compared({ key, operator, values }: Filter): Comparison<AttributeOperator> {
  const ours = TEXTS[operator]
  if (!ours) throw new NoEqual(`compares ${key} by ${operator}`)
  return { operator: ours, values: ours === 'is_set' || ours === 'is_not_set' ? [] : values }
}

/** An attribute of the account's own; undefined if it is none. */
export function attributeCondition(moved: MovedAccount, filter: Filter) {
  const { key, subject, operator, values } = filter
  if (!subject) return undefined
  const kind = moved.attributes.get(attributeName(subject, key))
  if (!kind) throw new NoEqual(`looks at ${key}, which is no attribute here`)
  const field = `${subject}_metadata` as const
  if (operator === 'is_greater_than' || operator === 'is_less_than') {
    const isMore = operator === 'is_greater_than'
    const ours = kind === 'date' ? (isMore ? 'after' : 'before') : isMore ? 'more_than' : 'less_than'
    return { field, key, operator: ours as AttributeOperator, values }
  }
  if (kind === 'yes_no' && (operator === 'equal_to' || operator === 'not_equal_to')) {
    const isTrue = (values[0] === 'true') === (operator === 'equal_to')
    return { field, key, operator: (isTrue ? 'is_true' : 'is_false') as AttributeOperator, values: [] }
  }
  return { field, key, ...compared(filter) }
}
