import { fitsAttribute, readAttributeValue } from '../customers/attribute-values.ts'
import type { AttributeKind } from '../customers/attributes.ts'
import { foldWords } from './search-words.ts'

// How rules and saved views compare attributes. Values are compared as texts, because a key may have been filled before it
// was an attribute, and a deleted attribute leaves its values.

/** The operators of texts, and of attributes of which no kind is known. */
export const TEXT_OPERATORS = [
  'contains',
  'contains_none',
  'is',
  'is_not',
  'starts_with',
  'is_set',
  'is_not_set',
  'more_than',
  'less_than',
] as const

/** What can be asked of attributes of all kinds. An operator that does not fit the value does not hold. */
export const ATTRIBUTE_OPERATORS = [...TEXT_OPERATORS, 'before', 'after', 'is_true', 'is_false'] as const
export type AttributeOperator = (typeof ATTRIBUTE_OPERATORS)[number]

/** Operators that need no value. */
export const VALUELESS: readonly string[] = [
  'is_set',
  'is_not_set',
  'is_true',
  'is_false',
] satisfies AttributeOperator[]
/** Operators that compare numbers. */
export const NUMERIC: readonly string[] = ['more_than', 'less_than'] satisfies AttributeOperator[]
/** Operators that compare days. */
export const DATED: readonly string[] = ['before', 'after'] satisfies AttributeOperator[]

const OPPOSITES = { is_not: 'is', contains_none: 'contains', is_not_set: 'is_set', is_false: 'is_true' } as const
/** Operators that hold if something can be found in the value. */
export type PositiveOperator = Exclude<AttributeOperator, keyof typeof OPPOSITES>

/** The operator itself, or the one that it is the opposite of. */
export function positiveOf(operator: AttributeOperator): PositiveOperator {
  return operator in OPPOSITES ? OPPOSITES[operator as keyof typeof OPPOSITES] : (operator as PositiveOperator)
}

/** The operators of a form that make sense for an attribute of a kind; for other keys those of texts. */
export function attributeOperators(kind: AttributeKind | undefined): readonly AttributeOperator[] {
  switch (kind) {
    case 'number':
      return ['is', 'is_not', 'more_than', 'less_than', 'is_set', 'is_not_set']
    case 'date':
      return ['before', 'after', 'is', 'is_set', 'is_not_set']
    case 'yes_no':
      return ['is_true', 'is_false', 'is_set', 'is_not_set']
    case 'choice':
      return ['is', 'is_not', 'is_set', 'is_not_set']
    default:
      return TEXT_OPERATORS
  }
}

/** Whether an operator is compared with as many values as there are, and with such as it can read. */
export function doValuesFit(operator: AttributeOperator, values: readonly string[]): boolean {
  if (VALUELESS.includes(operator)) return values.length === 0
  if (NUMERIC.includes(operator)) return values.length === 1 && Number.isFinite(Number(values[0]))
  if (DATED.includes(operator)) return values.length === 1 && fitsAttribute({ kind: 'date', choices: [] }, values[0])
  return values.length > 0
}

/** A value of the metadata as text; undefined for none, and for lists and objects, which are no values to compare. */
export function attributeText(metadata: Record<string, unknown> | null, key: string | undefined): string | undefined {
  const value = metadata && key !== undefined && Object.hasOwn(metadata, key) ? metadata[key] : undefined
  const text = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''
  return text.trim() ? text : undefined
}

/** Makes an operator and its values ready to be compared with many values; undefined stands for none. */
export function prepareAttributeTest(operator: AttributeOperator, values: readonly string[]) {
  const positive = positiveOf(operator)
  const holds = prepare(positive, values)
  return (text: string | undefined): boolean => (text !== undefined && holds(text)) === (positive === operator)
}

function prepare(operator: PositiveOperator, values: readonly string[]): (text: string) => boolean {
  const limit = values[0] ?? ''
  switch (operator) {
    case 'is_set':
      return () => true
    case 'is_true':
      return (text) => readAttributeValue({ kind: 'yes_no', choices: [] }, text)?.value === true
    case 'is': {
      const wanted = foldAll(values, foldIdentity)
      return (text) => wanted.includes(foldIdentity(text))
    }
    case 'contains':
    case 'starts_with': {
      const wanted = foldAll(values, foldText)
      return (text) => {
        const folded = foldText(text)
        return wanted.some((value) => (operator === 'contains' ? folded.includes(value) : folded.startsWith(value)))
      }
    }
    case 'more_than':
      return (text) => (numberOf(text) ?? Number.NaN) > Number(limit)
    case 'less_than':
      return (text) => (numberOf(text) ?? Number.NaN) < Number(limit)
    default: {
      const day = dayOf(limit) ?? ''
      // Days are written so that the earlier one is the smaller text.
      return (text) => {
        const own = dayOf(text)
        return own !== undefined && (operator === 'before' ? own < day : own > day)
      }
    }
  }
}

/** Values as they are compared; without those of which nothing is left, which would be in every text. */
export function foldAll(values: readonly string[], fold: (text: string) => string): string[] {
  return values.map(fold).filter(Boolean)
}

/** The words of a text as search compares them: without case, accents and punctuation. */
export function foldText(text: string): string {
  return foldWords(text)
    .map(({ word }) => word)
    .join(' ')
}

/** Numbers are the same however they are written, and `-5` is not 5. Other values are compared as texts. */
export function foldIdentity(text: string): string {
  const number = numberOf(text)
  return number !== undefined && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? String(number) : foldText(text)
}

/** What is read as a number, also by the database. */
export const NUMBER = /^[ \t\n\r]*[+-]?([0-9]{1,30}([.][0-9]{0,30})?|[.][0-9]{1,30})[ \t\n\r]*$/

function numberOf(text: string): number | undefined {
  return NUMBER.test(text) ? Number(text) : undefined
}

/** The day `YYYY-MM-DD` of a value that is one, possibly with a time. */
export function dayOf(text: string): string | undefined {
  const day = readAttributeValue({ kind: 'date', choices: [] }, text)?.value
  return day === undefined ? undefined : String(day)
}
