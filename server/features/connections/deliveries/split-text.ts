import { cutText } from '#contract/text/graphemes.ts'

/** Splits a text into parts of at most `length` characters, preferably at the end of a line or word. */
export function splitText(text: string, length: number): string[] {
  const parts: string[] = []
  let remaining = text.trim()
  while (remaining.length > length) {
    const end = findEnd(remaining, length)
    parts.push(remaining.slice(0, end).trimEnd())
    remaining = remaining.slice(end).trimStart()
  }
  return remaining ? [...parts, remaining] : parts
}

function findEnd(text: string, length: number): number {
  const window = text.slice(0, length + 1)
  for (const separator of ['\n', ' ']) {
    const end = window.lastIndexOf(separator)
    if (end > length / 2) return end
  }
  return cutText(window, length).length - 1
}
