/** Older browsers have none; there a character is what Unicode counts as one. */
const segmenter = 'Segmenter' in Intl ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : undefined

/**
 * A flag, or a character with everything that changes it: accents, skin tones, and what is joined to it. An expression,
 * because Firefox 115 has no `Intl.Segmenter`.
 */
const CHARACTER =
  /^(?:\p{RI}\p{RI}|\P{M}[\p{M}\p{EMod}\u{E0020}-\u{E007F}]*(?:\u200D\P{M}[\p{M}\p{EMod}\u{E0020}-\u{E007F}]*)*)/u

/** The first character as people see it: a whole flag or family, a letter with its accents. Empty for an empty text. */
export function firstGrapheme(text: string): string {
  return CHARACTER.exec(text)?.[0] ?? ''
}

/** The beginning of a text, with an ellipsis if something is left out. Never cuts inside an emoji or an accented letter. */
export function cutText<Text extends string | null>(text: Text, length: number): Text
export function cutText(text: string | null, length: number): string | null {
  if (text === null || text.length <= length) return text
  const end = segmenter?.segment(text.slice(0, 2 * length)).containing(length)?.index
  // One grapheme that is longer than the whole preview is nobody's word.
  return `${text.slice(0, end || length).replace(/[\uD800-\uDBFF]$/, '')}…`
}
