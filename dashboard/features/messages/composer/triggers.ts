/** What is being typed that a menu can finish: `@` a teammate, `/` or `#` a saved reply, `:` an emoji. */
export interface Trigger {
  sign: '@' | '/' | '#' | ':'
  /** What follows the sign, up to the caret. */
  query: string
  /** Where the sign stands. */
  start: number
  /** The caret. */
  end: number
}

/** Nobody looks for longer names, and a paragraph that begins with a slash is no search. */
const LONGEST = 40
const MIN_EMOJI = 2

/**
 * What a menu can finish at the caret, if anything. The sign stands at the beginning of a word, so neither an address nor
 * a date nor a time opens a menu. Names have blanks in them; an emoji's has none.
 */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(Math.max(0, caret - LONGEST - 2), caret)
  const found = /(?:^|[\s([{])([@/#:])((?!\s)[^\n@/#:]{0,40})$/u.exec(before)
  if (!found) return undefined
  const sign = found[1] as Trigger['sign']
  const query = found[2] ?? ''
  if (sign === ':' && (query.length < MIN_EMOJI || /[^\p{L}\p{M}\d_+-]/u.test(query))) return undefined
  // The beginning of the excerpt is no beginning of a word unless it is that of the text.
  const start = caret - query.length - 1
  if (start > 0 && !/[\s([{]/.test(text[start - 1] ?? '')) return undefined
  return { sign, query, start, end: caret }
}
