// Parses what people type into the search box. The server searches by it, and the browser colours operators by it.

const OPERATORS = ['from', 'tag', 'inbox', 'assignee', 'status', 'before', 'after', 'has'] as const
/** A word that narrows a search when followed by a colon and a value, such as `from:ada`. */
export type SearchOperator = (typeof OPERATORS)[number]

/** A part of the typed text; `start` and `end` are its position in UTF-16 units. */
export type SearchPart = { start: number; end: number; value: string } & (
  | { kind: 'word' | 'phrase' }
  | { kind: 'operator'; operator: SearchOperator }
)

const QUOTES = '"“”„'
const OPERATOR = new RegExp(
  `(${OPERATORS.join('|')}):(?:[${QUOTES}]([^${QUOTES}]*)[${QUOTES}]?|([^\\s${QUOTES}]+))`,
  'iy',
)
const PHRASE = new RegExp(`[${QUOTES}]([^${QUOTES}]*)[${QUOTES}]?`, 'y')
const WORD = new RegExp(`[^\\s${QUOTES}]+`, 'y')
const BLANK = /\s*/y

/**
 * Parses a search, in the order of typing. Never throws: an operator without a valid value, such as `note:`,
 * `status:maybe` or `before:monday`, is a plain word, and an unclosed quotation ends with the text.
 */
export function parseSearch(text: string): SearchPart[] {
  const parts: SearchPart[] = []
  let at = 0
  const matchNext = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  for (;;) {
    at += matchNext(BLANK)![0].length
    if (at >= text.length) return parts
    const { part, length } = readOperator(matchNext(OPERATOR)) ?? readWords(matchNext(PHRASE), matchNext(WORD)!)
    if (part.value.trim() !== '') parts.push({ ...part, start: at, end: at + length })
    at += length
  }
}

type Offset = 'start' | 'end'
type Unplaced = SearchPart extends infer Part ? (Part extends SearchPart ? Omit<Part, Offset> : never) : never
interface Read {
  part: Unplaced
  length: number
}

function readOperator(match: RegExpExecArray | null): Read | undefined {
  if (!match) return undefined
  const operator = match[1]!.toLowerCase() as SearchOperator
  const value = (match[2] ?? match[3] ?? '').trim()
  if (!isKnown(operator, value)) return undefined
  const choice = operator === 'status' || operator === 'has' ? value.toLowerCase() : value
  return { part: { kind: 'operator', operator, value: choice }, length: match[0].length }
}

function readWords(phrase: RegExpExecArray | null, word: RegExpExecArray | null): Read {
  if (phrase) return { part: { kind: 'phrase', value: phrase[1]! }, length: phrase[0].length }
  return { part: { kind: 'word', value: word![0] }, length: word![0].length }
}

function isKnown(operator: SearchOperator, value: string): boolean {
  switch (operator) {
    case 'status':
      return /^(open|closed)$/i.test(value)
    case 'has':
      return /^file$/i.test(value)
    case 'before':
    case 'after':
      return isDay(value)
    default:
      return value !== ''
  }
}

/** `2026-02-30` looks like a day and is none. */
function isDay(value: string): boolean {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(value)) return false
  const moment = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(value)
}
