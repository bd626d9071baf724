import type { Position } from '../../../platform/cursor.ts'

/** A match: a message by its words, or a conversation by its customer or subject. */
export interface MatchPosition extends Position {
  conversation_id: string
  matched: 'message' | 'customer' | 'subject' | 'conversation'
}

/** The results of one search method, newest first. */
export interface Slice {
  matches: MatchPosition[]
  /** All matches down to this position are included; null if everything was searched. */
  reached: Position | null
}

/** A match, or the last row that a scan read if too few match. */
interface ScannedRow {
  id: string
  at: string
  is_last?: boolean
}

/** What was found by a query that ends with enough matches, with the last row that it may read, or with the table. */
export function sliceOf<Row extends ScannedRow>(
  rows: Row[],
  limit: number,
  toMatch: (row: Row) => MatchPosition,
): Slice {
  const matches = rows.filter(({ is_last }) => !is_last).map(toMatch)
  const last = rows.find(({ is_last }) => is_last)
  const end = last ? { at: last.at, id: last.id } : null
  return { matches, reached: matches.length >= limit ? (matches.at(-1) ?? null) : end }
}

/** Newer than everything. */
export const TOP: Position = { at: '9999-01-01T00:00:00.000Z', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/** Older than everything at this time. */
export function below(at: string): Position {
  return { at, id: '00000000-0000-0000-0000-000000000000' }
}

/** Negative if the first one is newer. */
export function compare(a: Position, b: Position): number {
  if (a.at !== b.at) return a.at > b.at ? -1 : 1
  return a.id === b.id ? 0 : a.id > b.id ? -1 : 1
}

export interface Page {
  page: MatchPosition[]
  /** Where the next page begins; null after the last one. */
  next: Position | null
}

/** Merges slices: only as far as all of them were searched, because newer matches may be missing beyond that. */
export function merge(slices: Slice[], limit: number): Page {
  const frontier = slices
    .flatMap(({ reached }) => reached ?? [])
    .sort(compare)
    .at(0)
  const sure = slices
    .flatMap(({ matches }) => matches)
    .filter((match) => !frontier || compare(match, frontier) <= 0)
    .sort(compare)
  const page = sure.slice(0, limit)
  return { page, next: sure.length > limit ? (page.at(-1) ?? null) : (frontier ?? null) }
}
