import * as z from 'zod/mini'
import type { AttributeSubject } from '../customers/attributes.ts'
import { FilledText, Text } from '../wire.ts'
import { ATTRIBUTE_OPERATORS, doValuesFit, TEXT_OPERATORS } from './attribute-conditions.ts'
import type { RuleTriggerName } from './rule-triggers.ts'
import { CONVERSATION_SOURCES } from './sources.ts'

// The fields that rules look at, in one table: validation, evaluation and the form are derived from it.

/** What can be asked of a kind of value. Some take no values; the others hold if they hold for any value. */
const OPERATORS = {
  /** One of several: an id, a name of a list, or several of them. */
  choice: ['is', 'is_not'],
  text: TEXT_OPERATORS,
  yes_or_no: ['is_true', 'is_false'],
  number: ['less_than', 'more_than', 'is_set', 'is_not_set'],
  /** Of any kind; those that do not fit the value do not hold. */
  attribute: ATTRIBUTE_OPERATORS,
} as const

type FieldKind = keyof typeof OPERATORS
export type RuleOperator = (typeof OPERATORS)[FieldKind][number]

interface RuleField {
  kind: FieldKind
  /** What a choice is made from, for the form; the account's own things are named by their ids. */
  choices?: 'inboxes' | 'users' | 'teams' | 'tags' | readonly string[]
  /** Only events of these triggers have it. */
  only?: readonly RuleTriggerName[]
  /** Compared letter by letter instead of word by word: addresses. */
  isExact?: true
  /** The condition names an attribute, or another key of the metadata. */
  keyOf?: AttributeSubject
}

const MESSAGES = ['customer_message', 'team_message'] as const
const CHANGES = ['conversation_changed'] as const
const STATUSES = ['open', 'closed'] as const
/** Of a chat that the assistant answered first. */
const ASSISTANT_STATES = ['answering', 'handed_over', 'helped', 'reopened'] as const
const PRIORITIES = ['priority', 'not_priority'] as const

/** The value of a choice that stands for nobody, or no team. */
export const NOBODY = 'nobody'

export const RULE_FIELDS = {
  inbox: { kind: 'choice', choices: 'inboxes' },
  channel: { kind: 'choice', choices: CONVERSATION_SOURCES },
  status: { kind: 'choice', choices: STATUSES },
  priority: { kind: 'choice', choices: PRIORITIES },
  assignee: { kind: 'choice', choices: 'users' },
  team: { kind: 'choice', choices: 'teams' },
  assistant: { kind: 'choice', choices: ASSISTANT_STATES },
  tags: { kind: 'choice', choices: 'tags' },
  subject: { kind: 'text' },
  text: { kind: 'text', only: MESSAGES },
  is_first_message: { kind: 'yes_or_no', only: MESSAGES },
  in_working_hours: { kind: 'yes_or_no' },
  customer_name: { kind: 'text' },
  customer_email: { kind: 'text', isExact: true },
  customer_domain: { kind: 'text', isExact: true },
  customer_company: { kind: 'text' },
  customer_language: { kind: 'text', isExact: true },
  customer_metadata: { kind: 'attribute', keyOf: 'customer' },
  conversation_metadata: { kind: 'attribute', keyOf: 'conversation' },
  deadline_overdue: { kind: 'yes_or_no' },
  minutes_to_deadline: { kind: 'number' },
  changed: {
    kind: 'choice',
    choices: ['status', 'assignee', 'team', 'priority', 'tags', 'inbox', 'assistant'],
    only: CHANGES,
  },
  previous_status: { kind: 'choice', choices: STATUSES, only: CHANGES },
  previous_priority: { kind: 'choice', choices: PRIORITIES, only: CHANGES },
  previous_assignee: { kind: 'choice', choices: 'users', only: CHANGES },
  previous_team: { kind: 'choice', choices: 'teams', only: CHANGES },
} as const satisfies Record<string, RuleField>

export type RuleFieldName = keyof typeof RULE_FIELDS

/** What the table says about a field. */
export function ruleField(name: RuleFieldName): RuleField {
  return RULE_FIELDS[name]
}

/** The operators that fit a field. */
export function operatorsOf(name: RuleFieldName): readonly RuleOperator[] {
  return OPERATORS[RULE_FIELDS[name].kind]
}

/** Names of all fields, in the order of the form. */
export const RULE_FIELD_NAMES = Object.keys(RULE_FIELDS) as [RuleFieldName, ...RuleFieldName[]]
const ALL_OPERATORS = [...new Set(Object.values(OPERATORS).flat())] as [RuleOperator, ...RuleOperator[]]

/** One condition: a field, an operator, and values of which one is enough. */
export const RuleCondition = z.object({
  field: z.enum(RULE_FIELD_NAMES).check(z.describe('What is looked at.')),
  operator: z.enum(ALL_OPERATORS).check(z.describe('How it is compared; which operators fit depends on the field.')),
  values: z
    ._default(z.array(FilledText(200)).check(z.maxLength(50)), [])
    .check(z.describe('Ids, names or texts of which one is enough; `nobody` is an assignee and a team, too.')),
  key: z
    .optional(Text(100))
    .check(z.describe('Of `customer_metadata` and `conversation_metadata`: the key of the attribute.')),
})
export type RuleCondition = z.output<typeof RuleCondition>

/** Lists that all must hold; in each of them one condition is enough. Without any, a rule always matches. */
export const RuleConditions = z
  .array(z.array(RuleCondition).check(z.minLength(1), z.maxLength(10)))
  .check(z.maxLength(20))
  .check(
    z.meta({
      examples: [[[{ field: 'subject', operator: 'contains', values: ['refund'] }]]],
      description: 'All of these lists must hold; in each of them one condition is enough.',
    }),
  )
export type RuleConditions = z.output<typeof RuleConditions>

/** Whether a condition fits the table and the trigger: its operator, its values and its key. */
export function isConditionValid(condition: RuleCondition, trigger: RuleTriggerName): boolean {
  const { field, operator, values, key } = condition
  const { choices, only, keyOf } = ruleField(field)
  if (!operatorsOf(field).includes(operator) || (only && !only.includes(trigger))) return false
  if (!!keyOf !== !!key?.trim()) return false
  if (!doValuesFit(operator, values)) return false
  return typeof choices !== 'object' || values.every((value) => choices.includes(value))
}
