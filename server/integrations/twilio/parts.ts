import { cutText } from '#contract/text/graphemes.ts'

/** Maximum length of one Twilio message in characters. */
export const PART_LENGTH = 1600

/** Splits a text into parts, preferably at the end of a line or word. */
export function splitText(text: string): string[] {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > PART_LENGTH) {
    const end = findEnd(rest)
    parts.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return rest ? [...parts, rest] : parts
}

function findEnd(text: string): number {
  const window = text.slice(0, PART_LENGTH + 1)
  for (const sign of ['\n', ' ']) {
    const end = window.lastIndexOf(sign)
    if (end > PART_LENGTH / 2) return end
  }
  return cutText(window, PART_LENGTH).length - 1
}
