import * as z from 'zod/mini'
import type { AttributeSubject } from '../customers/attributes.ts'
import { FilledText, Text } from '../wire.ts'
import { ATTRIBUTE_OPERATORS, doValuesFit, positiveOf } from './attribute-conditions.ts'
import { NOBODY } from './rule-conditions.ts'
import { foldWords } from './search-words.ts'
import { CONVERSATION_SOURCES } from './sources.ts'

// The fields by which views choose conversations, in one table: validation, queries, membership and the form are derived
// from it. Fields, operators and values are named as in the conditions of rules.

/** What can be asked of a kind of value. Several values: one of them is enough. */
const OPERATORS = {
  choice: ['is', 'is_not'],
  yes_or_no: ['is_true', 'is_false'],
  /** Words next to each other, compared as in search; the last one may be the beginning of a word. */
  text: ['contains', 'contains_none'],
  /** A short text compared as a whole. */
  code: ['is', 'is_not'],
  /** Minutes. */
  duration: ['more_than', 'less_than'],
  /** Of any kind, compared as in rules. */
  attribute: ATTRIBUTE_OPERATORS,
} as const

export type ViewFieldKind = keyof typeof OPERATORS
export type ViewOperator = (typeof OPERATORS)[ViewFieldKind][number]

interface ViewField {
  kind: ViewFieldKind
  /** What a choice is made from; the account's own things are named by their ids. */
  choices?: 'inboxes' | 'users' | 'teams' | 'tags' | readonly string[]
  /** Further values of a choice. */
  also?: readonly string[]
  /** The condition names an attribute by its key. */
  keyOf?: AttributeSubject
}

/** The value of a choice that stands for whoever looks at the view. */
export const ME = 'me'

/** Snoozed conversations are not open, as in the buckets. */
const STATUSES = ['open', 'snoozed', 'closed'] as const
export type ViewStatus = (typeof STATUSES)[number]

export const VIEW_FIELDS = {
  status: { kind: 'choice', choices: STATUSES },
  unread: { kind: 'yes_or_no' },
  priority: { kind: 'choice', choices: ['priority', 'not_priority'] },
  assignee: { kind: 'choice', choices: 'users', also: [ME, NOBODY] },
  mentions: { kind: 'choice', choices: 'users', also: [ME] },
  team: { kind: 'choice', choices: 'teams', also: [NOBODY] },
  inbox: { kind: 'choice', choices: 'inboxes' },
  channel: { kind: 'choice', choices: CONVERSATION_SOURCES },
  tags: { kind: 'choice', choices: 'tags' },
  overdue: { kind: 'yes_or_no' },
  due_in: { kind: 'duration' },
  waiting_for_team: { kind: 'duration' },
  waiting_for_customer: { kind: 'duration' },
  last_activity: { kind: 'duration' },
  created: { kind: 'duration' },
  subject: { kind: 'text' },
  text: { kind: 'text' },
  customer: { kind: 'text' },
  customer_company: { kind: 'text' },
  customer_language: { kind: 'code' },
  customer_metadata: { kind: 'attribute', keyOf: 'customer' },
  conversation_metadata: { kind: 'attribute', keyOf: 'conversation' },
} as const satisfies Record<string, ViewField>

export type ViewFieldName = keyof typeof VIEW_FIELDS

/** What the table says about a field. */
export function viewField(name: ViewFieldName): ViewField {
  return VIEW_FIELDS[name]
}

/** The operators that fit a field. */
export function viewOperatorsOf(name: ViewFieldName): readonly ViewOperator[] {
  return OPERATORS[VIEW_FIELDS[name].kind]
}

/** Operators that hold if the others of their kind do not. */
export function isNegation(operator: ViewOperator): boolean {
  return positiveOf(operator) !== operator
}

/** Names of all fields, in the order of the form. */
export const VIEW_FIELD_NAMES = Object.keys(VIEW_FIELDS) as [ViewFieldName, ...ViewFieldName[]]
const ALL_OPERATORS = [...new Set(Object.values(OPERATORS).flat())] as [ViewOperator, ...ViewOperator[]]

// Browsers check what is entered, too, without a library for schemas.
const USER_ID = /^\d{1,9}$/
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Ten years, in minutes. */
const MAX_MINUTES = 5_256_000

/** One condition: a field, an operator, and values of which one is enough. */
export const ViewCondition = z.object({
  field: z.enum(VIEW_FIELD_NAMES).check(z.describe('What is looked at. `text` looks at messages of the last 30 days.')),
  operator: z.enum(ALL_OPERATORS).check(z.describe('How it is compared; which operators fit depends on the field.')),
  values: z
    ._default(z.array(FilledText(200)).check(z.maxLength(20)), [])
    .check(
      z.describe(
        'Ids, names, texts, numbers, a day, or a number of minutes. One is enough; `me` and `nobody` are assignees, too. None for `is_true`, `is_false`, `is_set` and `is_not_set`.',
      ),
    ),
  key: z
    .optional(Text(100))
    .check(z.describe('Of `customer_metadata` and `conversation_metadata`: the key of the attribute.')),
})
export type ViewCondition = z.output<typeof ViewCondition>

/** Lists that all must hold; in each of them one condition is enough. Without any, all conversations match. */
export const ViewConditions = z
  .array(z.array(ViewCondition).check(z.minLength(1), z.maxLength(10)))
  .check(z.maxLength(10))
  .check(
    z.meta({
      examples: [[[{ field: 'status', operator: 'is', values: ['open'] }]]],
      description: 'All of these lists must hold; in each of them one condition is enough.',
    }),
  )
export type ViewConditions = z.output<typeof ViewConditions>

/** Texts for which one view may look: each is a search of its own. */
export const MAX_VIEW_TEXTS = 10

/** How many texts a view looks for. */
export function countTexts(conditions: ViewConditions): number {
  return conditions
    .flat()
    .reduce((sum, { field, values }) => sum + (viewField(field).kind === 'text' ? values.length : 0), 0)
}

/** Whether a condition fits the table: its operator, its values and its key. Whether what it names exists is not looked at. */
export function isViewConditionValid({ field, operator, values, key }: ViewCondition): boolean {
  if (!viewOperatorsOf(field).includes(operator)) return false
  const { kind, keyOf } = viewField(field)
  if (!!keyOf !== !!key?.trim()) return false
  if (kind === 'attribute') return doValuesFit(operator, values) && values.every(hasWords)
  if (kind === 'yes_or_no') return values.length === 0
  if (kind === 'duration') return values.length === 1 && isMinutes(values[0]!)
  if (values.length === 0) return false
  if (kind === 'text') return values.every(hasWords)
  return kind === 'code' || values.every((value) => isChoice(field, value))
}

/** Nothing is left to compare of a value such as `?!`. */
function hasWords(value: string): boolean {
  return foldWords(value).length > 0
}

function isMinutes(value: string): boolean {
  return /^\d{1,7}$/.test(value) && Number(value) <= MAX_MINUTES
}

function isChoice(field: ViewFieldName, value: string): boolean {
  const { choices, also = [] } = viewField(field)
  if (also.includes(value)) return true
  if (typeof choices === 'object') return choices.includes(value)
  return (choices === 'users' ? USER_ID : ID).test(value)
}
