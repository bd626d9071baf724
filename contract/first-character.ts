/**
 * A flag, or a character with everything that changes it: accents, skin tones, and what is joined to it. An expression,
 * because Firefox 115 has no `Intl.Segmenter`.
 */
const CHARACTER =
  /^(?:\p{RI}\p{RI}|\P{M}[\p{M}\p{EMod}\u{E0020}-\u{E007F}]*(?:\u200D\P{M}[\p{M}\p{EMod}\u{E0020}-\u{E007F}]*)*)/u

/** The first character of a text as people count them; undefined for an empty text. */
export function firstCharacter(text: string): string | undefined {
  return CHARACTER.exec(text)?.[0]
}
