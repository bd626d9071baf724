import { findLinks } from '#contract/text/links.ts'
import { scrub } from './scrub.ts'

/** A text for a model that must not change certain parts: these are replaced by marks such as `[[1]]`. */
export interface Marked {
  text: string
  /** What each mark stands for, by its number. */
  parts: ReadonlyMap<number, string>
}

/** A text with its parts put back. */
export interface Restored {
  text: string
  /** Parts that the model has left out. */
  lostParts: string[]
  /** Links and marks that it has added, or repeated. */
  added: string[]
  /** Numbers of the text that are not among those of the model, which may have written them as words. */
  lostNumbers: string[]
}

const LONGEST_MARK = '[[1234]]'.length
const MARK = /\[\[(\d{1,4})\]\]/g
/** Code, variables, and codes: of letters and digits, or of many digits, such as numbers of orders, phones and accounts. */
const PARTS = [
  /`[^`\n]{1,200}`/g,
  /\{\{?[\w .]{1,60}\}?\}/g,
  /(?<![\p{L}\p{N}])(?=[A-Za-z0-9._/-]{0,60}[A-Z])(?=[A-Za-z0-9._/-]{0,60}\d)[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,60}[A-Za-z0-9])(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}[])#\d{1,12}(?!\p{N})/gu,
  /(?<![\p{L}\p{N}[])\+?\d(?:[ ./-]?\d){5,30}(?!\p{N})/gu,
]
const NUMBER = /\d+(?:[.,'’\u00A0\u202F ]\d{3})*(?:[.,:]\d+)*/g

/**
 * Replaces links, addresses, codes and secrets in a text by marks, so that a model can neither read nor change them.
 * @param first the number of the first mark, where several texts are given to the model together
 */
export function markParts(text: string, first = 1): Marked {
  const parts = new Map<number, string>()
  const mark = (part: string) => {
    parts.set(first + parts.size, part)
    return `[[${first + parts.size - 1}]]`
  }
  // What looks like a mark already is a part as well.
  let marked = text.replace(MARK, mark)
  for (const { at, text: link } of findLinks(marked).reverse())
    marked = marked.slice(0, at) + mark(link) + marked.slice(at + link.length)
  marked = scrub(marked, mark)
  for (const pattern of PARTS) marked = marked.replace(pattern, mark)
  return { text: marked, parts }
}

/** Puts the parts back into what a model made of a marked text, and compares both. */
export function restoreParts({ text: marked, parts }: Marked, said: string): Restored {
  const wanted = numbersOf(marked)
  const numbers = numbersOf(said)
  const lost = wanted.filter((number) => !numbers.includes(number))
  const added = [
    ...numbers
      .filter((number, at) => !wanted.includes(number) || numbers.indexOf(number) !== at)
      .map((n) => `[[${n}]]`),
    ...findLinks(said).map(({ text }) => text),
  ]
  return {
    text: putBack(said, parts),
    lostParts: lost.map((number) => putBack(`[[${number}]]`, parts)),
    added: [...new Set(added)],
    lostNumbers: lackingNumbers(marked, said),
  }
}

/** How much of a text that is still being written has no mark that is not complete. */
export function lengthWithoutBrokenMark(text: string): number {
  const at = text.lastIndexOf('[[')
  if (at >= 0 && !text.includes(']]', at) && text.length - at < LONGEST_MARK) return at
  return text.endsWith('[') ? text.length - 1 : text.length
}

/** Puts parts back into a text, or into a piece of one. */
export function putBack(said: string, parts: Marked['parts']): string {
  // A part may contain marks of earlier ones.
  return [...parts].reverse().reduce((text, [number, part]) => text.replaceAll(`[[${number}]]`, () => part), said)
}

function numbersOf(text: string): number[] {
  return [...text.matchAll(MARK)].map(([, number]) => Number(number))
}

/** Numbers of a text that another one lacks, however their digits are grouped. */
function lackingNumbers(text: string, other: string): string[] {
  const digitsOf = (number: string) => number.replace(/\D/g, '')
  const numbersIn = (source: string) => [...source.replace(MARK, ' ').matchAll(NUMBER)].map(([number]) => number)
  const remaining = numbersIn(other).map(digitsOf)
  return numbersIn(text).filter((number) => {
    const at = remaining.indexOf(digitsOf(number))
    if (at >= 0) remaining.splice(at, 1)
    return at < 0
  })
}
