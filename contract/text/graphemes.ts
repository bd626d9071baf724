/** Older browsers have none. */
const segmenter = 'Segmenter' in Intl ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : undefined

/** The beginning of a text, with an ellipsis if something is left out. Never cuts inside an emoji or an accented letter. */
export function cutText<Text extends string | null>(text: Text, length: number): Text
export function cutText(text: string | null, length: number): string | null {
  if (text === null || text.length <= length) return text
  const end = segmenter?.segment(text.slice(0, 2 * length)).containing(length)?.index
  // One grapheme that is longer than the whole preview is nobody's word.
  return `${text.slice(0, end || length).replace(/[\uD800-\uDBFF]$/, '')}…`
}
