const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The beginning of a text, with an ellipsis if something is left out. Never cuts inside an emoji or an accented letter. */
export function cutText<Given extends string | null>(text: Given, length: number): Given
export function cutText(text: string | null, length: number): string | null {
  if (text === null || text.length <= length) return text
  const start = graphemes.segment(text.slice(0, 2 * length)).containing(length)?.index
  // One grapheme that is longer than the whole preview is nobody's word.
  return `${text.slice(0, start || length).toWellFormed()}…`
}
