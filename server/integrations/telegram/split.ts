import { cutText } from '#contract/text/graphemes.ts'
import type { Entity, FormattedText } from './entities.ts'

/** Maximum length of a message, in UTF-16 units after its formatting was taken out. */
export const MAX_LENGTH = 4096
/** Telegram ignores further ones. */
const MAX_ENTITIES = 100

/**
 * Splits a text into messages: at the end of a paragraph, line or word, and neither inside of a character nor, where it can
 * be avoided, inside of formatting.
 */
export function splitText({ text, entities }: FormattedText, limit = MAX_LENGTH): FormattedText[] {
  const parts: FormattedText[] = []
  let from = 0
  while (text.length - from > limit) {
    const end = findEnd(text, entities, from, limit)
    parts.push(slice(text, entities, from, end))
    from = end
  }
  if (from < text.length) parts.push(slice(text, entities, from, text.length))
  return parts.filter((part) => part.text)
}

function findEnd(text: string, entities: readonly Entity[], from: number, limit: number): number {
  const window = text.slice(from, from + limit + 1)
  const isFree = (at: number) =>
    entities.every(({ offset, length }) => from + at <= offset || from + at >= offset + length)
  for (const isAllowed of [isFree, () => true]) {
    for (const separator of ['\n\n', '\n', ' ']) {
      let at = window.lastIndexOf(separator, limit)
      while (at > limit / 2 && !isAllowed(at)) at = window.lastIndexOf(separator, at - 1)
      if (at > limit / 2) return from + at
    }
  }
  const whole = cutText(window, limit).length - 1
  if (whole > 0) return from + whole
  // A single character longer than a message, made of thousands of marks: at least not inside of a surrogate pair.
  return from + (/[\ud800-\udbff]/.test(window[limit - 1] ?? '') ? limit - 1 : limit)
}

/** A part of the text without blanks around it, with the formatting inside of it. */
function slice(text: string, entities: readonly Entity[], from: number, to: number): FormattedText {
  const raw = text.slice(from, to)
  const part = raw.trim()
  const start = from + raw.length - raw.trimStart().length
  const inside = entities.flatMap(({ offset, length, ...entity }) => {
    const begin = Math.max(offset, start) - start
    const end = Math.min(offset + length, start + part.length) - start
    return end > begin ? [{ ...entity, offset: begin, length: end - begin }] : []
  })
  return { text: part, entities: inside.slice(0, MAX_ENTITIES) }
}
