import type { Excerpt } from '#contract/conversations/search.ts'
import type { SearchPart } from '#contract/conversations/search-query.ts'
import { findMatches } from '#contract/conversations/search-words.ts'

const LENGTH = 240
/** Characters of an excerpt before its first match. */
const LEAD = 60

/** The part of a text around its first match, or its beginning, with the positions of all matches in it. */
export function excerptOf(body: string, parts: SearchPart[]): Excerpt {
  const matches = findMatches(body, parts)
  const start = body.length <= LENGTH ? 0 : startNear(body, (matches[0]?.start ?? 0) - LEAD)
  const end = wholeSign(body, Math.min(body.length, start + LENGTH))
  const before = start > 0 ? '…' : ''
  const shift = before.length - start
  return {
    text: `${before}${body.slice(start, end)}${end < body.length ? '…' : ''}`,
    ranges: matches
      .filter((match) => match.start >= start && match.start < end)
      .map((match) => ({ start: match.start + shift, end: Math.min(match.end, end) + shift })),
  }
}

/** The start of an excerpt: not below 0, late enough for a full excerpt, and after a blank if there is one near. */
function startNear(body: string, at: number): number {
  const start = Math.max(0, Math.min(at, body.length - LENGTH))
  if (start === 0) return 0
  const blank = body.slice(start, start + LEAD / 2).search(/\s/)
  return blank < 0 ? wholeSign(body, start) : start + blank + 1
}

/** Moves an index out of the middle of a surrogate pair. */
function wholeSign(body: string, at: number): number {
  const code = body.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
