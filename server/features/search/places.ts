import { BadRequest } from '../../errors.ts'

/**
 * A place in the order of results, newest first: when, and the id of the message or conversation that settles ties.
 * Times are ISO 8601 with milliseconds and ids lower case, so both compare as text as they do in the database.
 */
export interface Place {
  at: string
  id: string
}

/** Something that matches: a message by its words, or a conversation by whom and what it is about. */
export interface Found extends Place {
  conversation_id: string
  matched: 'message' | 'customer' | 'subject' | 'conversation'
}

/** What one way of looking has found, newest first. */
export interface Slice {
  found: Found[]
  /** Nothing that matches was left out down to here; null when everything was looked through. */
  reached: Place | null
}

/** Newer than everything. */
export const TOP: Place = { at: '9999-01-01T00:00:00.000Z', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/** Below 0 when the first stands before the second, that is, when it is newer. */
export function compare(a: Place, b: Place): number {
  if (a.at !== b.at) return a.at > b.at ? -1 : 1
  return a.id === b.id ? 0 : a.id > b.id ? -1 : 1
}

/** Puts slices together: only as far as all of them have looked, because beyond that something newer may be missing. */
export function merge(slices: Slice[], limit: number): { page: Found[]; next: Place | null } {
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

export function writeCursor({ at, id }: Place): string {
  return Buffer.from(`${at} ${id}`).toString('base64url')
}

/** Throws BadRequest for what `writeCursor` never wrote. */
export function readCursor(cursor: string | undefined): Place {
  if (!cursor) return TOP
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (
    !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at) ||
    Number.isNaN(Date.parse(at)) ||
    !/^[0-9a-f-]{36}$/.test(id)
  )
    throw new BadRequest('The cursor in `after` is not one of ours.')
  return { at, id }
}
