import { isCalendarDay } from '../days.ts'
import { parseUrl } from '../parse-url.ts'
import { limitCombiningMarks } from '../text/combining-marks.ts'
import { visibleText } from '../text/visible.ts'
import type { AttributeDefinition } from './attributes.ts'

/** A value as it is stored under its key: days as `YYYY-MM-DD`. */
export type AttributeValue = string | number | boolean

/** What a value must be like: its kind, and what may be chosen. */
export type AttributeShape = Pick<AttributeDefinition, 'kind' | 'choices'>

/** The characters that a text or a link may have. */
export const LONGEST_VALUE = 1000
/** Larger numbers lose digits in JavaScript. */
const LARGEST_NUMBER = Number.MAX_SAFE_INTEGER
const PLAIN_NUMBER = /^[+-]?\d{1,16}(\.\d{1,15})?$/
/** A day, also as the beginning of an ISO time; also read by the database. */
export const DAY =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ][0-9]{2}:[0-9]{2}[0-9:.,]{0,16} ?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?$/i
const YES = ['true', 'yes', '1']
const NO = ['false', 'no', '0']

/** Why a value does not fit, as the end of a sentence that begins with the attribute's name. */
type Problem =
  | 'is not a text'
  | 'is too long'
  | 'is not a number'
  | 'is not a date such as 2026-01-31'
  | 'is neither yes nor no'
  | 'is none of the choices'
  | 'is not a web address'

export type ReadValue = { value: AttributeValue; problem?: never } | { value?: never; problem: Problem }

/**
 * Reads a value that somebody entered, a program sent, or a list contains: texts are read as the attribute's kind. The
 * only place that decides what fits an attribute, for the server, forms and imports.
 * @returns the value as it is to be stored, or why it does not fit; undefined for none, which clears the attribute
 */
export function readAttributeValue(shape: AttributeShape, input: unknown): ReadValue | undefined {
  if (input === null || input === undefined) return undefined
  if (typeof input === 'string' && plainText(input) === '') return undefined
  return READERS[shape.kind](input, shape)
}

/** Whether a stored value fits its attribute, so that it can be shown as what it is. No value fits. */
export function fitsAttribute(shape: AttributeShape, stored: unknown): boolean {
  return readAttributeValue(shape, stored)?.problem === undefined
}

type Reader = (input: unknown, shape: AttributeShape) => ReadValue

const READERS: Record<AttributeDefinition['kind'], Reader> = {
  text: (input) => {
    if (typeof input !== 'string' && typeof input !== 'number') return { problem: 'is not a text' }
    return limited(plainText(String(input)))
  },
  number: (input) => {
    const isPlain = typeof input === 'number' || (typeof input === 'string' && PLAIN_NUMBER.test(input.trim()))
    const value = Number(input)
    return isPlain && Math.abs(value) <= LARGEST_NUMBER ? { value } : { problem: 'is not a number' }
  },
  date: (input) => {
    const [, day] = (typeof input === 'string' && DAY.exec(input.trim())) || []
    return day && isCalendarDay(day) ? { value: day } : { problem: 'is not a date such as 2026-01-31' }
  },
  yes_no: (input) => {
    const text = typeof input === 'boolean' || typeof input === 'string' ? String(input).trim().toLowerCase() : ''
    if (YES.includes(text)) return { value: true }
    return NO.includes(text) ? { value: false } : { problem: 'is neither yes nor no' }
  },
  choice: (input, { choices }) => {
    const text = typeof input === 'string' || typeof input === 'number' ? plainText(String(input)) : ''
    const folded = text.toLowerCase()
    const value = choices.includes(text) ? text : choices.find((choice) => choice.toLowerCase() === folded)
    return value === undefined ? { problem: 'is none of the choices' } : { value }
  },
  link: (input) => {
    const text = typeof input === 'string' ? plainText(input) : ''
    const url = /^https?:\/\//i.test(text) ? parseUrl(text) : undefined
    return url?.host ? limited(url.href) : { problem: 'is not a web address' }
  },
}

function limited(value: string): ReadValue {
  return value.length > LONGEST_VALUE ? { problem: 'is too long' } : { value }
}

/** A text on one line without hidden characters, which could make one value look like another. */
function plainText(text: string): string {
  // A text that is far too long is not worth the work.
  if (text.length > 10 * LONGEST_VALUE) return text
  return limitCombiningMarks(
    visibleText(text)
      // Halves of characters, for browsers without `toWellFormed`.
      .replace(/\p{Cs}/gu, '\ufffd')
      .replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
      .trim(),
  )
}
