import { cutText } from '#contract/text/graphemes.ts'

/** Splits a text into parts of at most `length` characters, preferably at the end of a line or word. */
export function splitText(text: string, length: number): string[] {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > length) {
    const end = findEnd(rest, length)
    parts.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return rest ? [...parts, rest] : parts
}

function findEnd(text: string, length: number): number {
  const window = text.slice(0, length + 1)
  for (const sign of ['\n', ' ']) {
    const end = window.lastIndexOf(sign)
    if (end > length / 2) return end
  }
  return cutText(window, length).length - 1
}
