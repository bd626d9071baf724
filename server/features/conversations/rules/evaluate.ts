import { foldAll, foldText, NUMERIC, prepareAttributeTest } from '#contract/conversations/attribute-conditions.ts'
import {
  type RuleCondition,
  type RuleConditions,
  type RuleFieldName,
  type RuleOperator,
  ruleField,
} from '#contract/conversations/rule-conditions.ts'

/** What an event and its conversation say about a field: texts or ids, yes or no; nothing if it has no such value. */
export interface Facts {
  read(field: RuleFieldName, key?: string): readonly string[] | boolean
}

/** Whether a condition holds. */
type Test = (facts: Facts) => boolean

/** Conditions made ready for many events: returns the first list of which none holds, or null if all match. */
export type Evaluate = (facts: Facts) => RuleCondition[] | null

/** Folds the texts of conditions once, however many events they are evaluated on. */
export function prepareConditions(conditions: RuleConditions): Evaluate {
  const lists = conditions.map((list) => ({ list, tests: list.map(prepare) }))
  return (facts) => lists.find(({ tests }) => !tests.some((test) => test(facts)))?.list ?? null
}

function prepare({ field, operator, values, key }: RuleCondition): Test {
  const kind = ruleField(field).kind
  if (kind === 'yes_or_no') return (facts) => facts.read(field, key) === (operator === 'is_true')
  const texts = (facts: Facts) => listOf(facts.read(field, key))
  if (kind === 'choice') {
    const wanted = new Set(values)
    const isAny: Test = (facts) => texts(facts).some((value) => wanted.has(value))
    return operator === 'is' ? isAny : (facts) => !isAny(facts)
  }
  if (kind === 'attribute') {
    const holds = prepareAttributeTest(operator, values)
    return (facts) => holds(texts(facts)[0])
  }
  return prepareText(operator, values, { fold: ruleField(field).isExact ? foldAddress : foldText, texts })
}

interface TextReading {
  fold(text: string): string
  texts(facts: Facts): readonly string[]
}

function prepareText(operator: RuleOperator, values: string[], { fold, texts }: TextReading): Test {
  if (operator === 'is_set') return (facts) => texts(facts).length > 0
  if (operator === 'is_not_set') return (facts) => texts(facts).length === 0
  if (NUMERIC.includes(operator)) {
    const limit = Number(values[0])
    return (facts) => texts(facts).some((text) => isBeyond(Number(text), operator, limit))
  }
  const wanted = foldAll(values, fold)
  const compare = COMPARISONS[operator as keyof typeof COMPARISONS]
  const isAny: Test = (facts) =>
    texts(facts).some((text) => {
      const folded = foldOnce(text, fold)
      return wanted.some((value) => compare(folded, value))
    })
  const isNegated = operator === 'contains_none' || operator === 'is_not'
  return isNegated ? (facts) => !isAny(facts) : isAny
}

const COMPARISONS = {
  contains: (text: string, value: string) => text.includes(value),
  contains_none: (text: string, value: string) => text.includes(value),
  is: (text: string, value: string) => text === value,
  is_not: (text: string, value: string) => text === value,
  starts_with: (text: string, value: string) => text.startsWith(value),
}

function isBeyond(number: number, operator: RuleOperator, limit: number): boolean {
  return operator === 'more_than' ? number > limit : number < limit
}

/** Addresses differ by their punctuation. */
function foldAddress(text: string): string {
  return text.trim().toLowerCase()
}

/** The text folded last: of a thousand rules all look at the text of one message. */
let last: { text: string; fold: TextReading['fold']; folded: string } | undefined

function foldOnce(text: string, fold: TextReading['fold']): string {
  if (last?.text !== text || last.fold !== fold) last = { text, fold, folded: fold(text) }
  return last.folded
}

function listOf(value: readonly string[] | boolean): readonly string[] {
  return typeof value === 'boolean' ? [] : value
}
