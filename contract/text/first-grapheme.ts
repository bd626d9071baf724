/** A flag, or a character with its accents, and what is joined to it. */
const FIRST = /^(?:\p{RI}{2}|\P{M}[\p{M}\p{EMod}\u{e0020}-\u{e007f}]*(?:\u200d\P{M}[\p{M}\p{EMod}]*)*)/u

/**
 * The first character as people see it: a whole flag or family, a letter with its accents. Empty for an empty text. By an
 * expression, because the chat has no room for more and older browsers have no segmenter.
 */
export function firstGrapheme(text: string): string {
  return FIRST.exec(text.slice(0, 100))?.[0] ?? ''
}
