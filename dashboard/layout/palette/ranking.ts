/**
 * Normalizes text for comparison: no accents, no case. The Vietnamese đ has no decomposition, so it is replaced
 * separately.
 */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .replace(/đ/gi, 'd')
    .toLowerCase()
}

const WORD_START = 8
const ADJACENT = 4
const WHOLE_PREFIX = 20

/**
 * How well a title matches the typed text: all letters must occur in order; starts of words and adjacent letters score
 * more, long titles less. Undefined if it does not match.
 */
export function scoreOf(title: string, typed: string): number | undefined {
  const text = fold(title)
  const query = fold(typed).replace(/\s+/g, '')
  if (!query) return 0
  // A greedy match may miss a better one further on, so every possible start is tried.
  let best: number | undefined
  for (let start = text.indexOf(query[0]!); start !== -1; start = text.indexOf(query[0]!, start + 1)) {
    const score = walk(text, query, start)
    if (score !== undefined && (best === undefined || score > best)) best = score
  }
  if (best === undefined) return undefined
  return best + (text.replace(/\s+/g, '').startsWith(query) ? WHOLE_PREFIX : 0) - text.length / 100
}

function walk(text: string, query: string, start: number): number | undefined {
  let score = 0
  let last = start - 1
  for (const letter of query) {
    const at = last < start ? start : text.indexOf(letter, last + 1)
    if (at === -1) return undefined
    score += 1 + (isWordStart(text, at) ? WORD_START : 0) + (at === last + 1 && at > start ? ADJACENT : 0)
    last = at
  }
  return score
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !/[\p{Letter}\p{Number}]/u.test(text[at - 1]!)
}

interface Ranked {
  id: string
  title: string
}

/** Matching entries, best first; before anything is typed, recently used ones come first. */
export function rank<Entry extends Ranked>(
  entries: readonly Entry[],
  typed: string,
  recent: readonly string[],
): Entry[] {
  const recency = ({ id }: Entry) => {
    const at = recent.indexOf(id)
    return at === -1 ? 0 : 1 - at / recent.length
  }
  return entries
    .flatMap((entry) => {
      const score = scoreOf(entry.title, typed)
      return score === undefined ? [] : [{ entry, score: score + recency(entry) }]
    })
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}
