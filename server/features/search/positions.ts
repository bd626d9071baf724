import type { Position } from '../../platform/cursor.ts'

/** Something that matches: a message by its words, or a conversation by whom and what it is about. */
export interface Found extends Position {
  conversation_id: string
  matched: 'message' | 'customer' | 'subject' | 'conversation'
}

/** The results of one search method, newest first. */
export interface Slice {
  found: Found[]
  /** Nothing that matches was left out down to here; null when everything was looked through. */
  reached: Position | null
}

/** Newer than everything. */
export const TOP: Position = { at: '9999-01-01T00:00:00.000Z', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/** Older than everything of this moment. */
export function below(at: string): Position {
  return { at, id: '00000000-0000-0000-0000-000000000000' }
}

/** Below 0 when the first stands before the second, that is, when it is newer. */
export function compare(a: Position, b: Position): number {
  if (a.at !== b.at) return a.at > b.at ? -1 : 1
  return a.id === b.id ? 0 : a.id > b.id ? -1 : 1
}

/** Puts slices together: only as far as all of them have looked, because beyond that something newer may be missing. */
export function merge(slices: Slice[], limit: number): { page: Found[]; next: Position | null } {
  const frontier = slices
    .flatMap(({ reached }) => reached ?? [])
    .sort(compare)
    .at(0)
  const sure = slices
    .flatMap(({ found }) => found)
    .filter((one) => !frontier || compare(one, frontier) <= 0)
    .sort(compare)
  const page = sure.slice(0, limit)
  return { page, next: sure.length > limit ? (page.at(-1) ?? null) : (frontier ?? null) }
}
