import { BadRequest } from '../errors.ts'

/**
 * A place in a list that stands newest first: when, and the id that settles ties. Times are ISO 8601 with milliseconds and
 * ids lower case, so both compare as text as they do in the database.
 */
export interface Position {
  at: string
  id: string
}

/** Where the next page begins, for a client to hand back. */
export function writeCursor({ at, id }: Position): string {
  return Buffer.from(`${at} ${id}`).toString('base64url')
}

/** Throws BadRequest for what `writeCursor` never wrote: the database would fail on it. */
export function readCursor(cursor: string): Position {
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (!isMoment(at) || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) {
    throw new BadRequest('The cursor in `after` is not one of ours. Leave it out to begin with the first page.')
  }
  return { at, id }
}

/** Where the next page begins, in a list that is ordered by a number. */
export function writeNumberCursor(number: number): string {
  return Buffer.from(String(number)).toString('base64url')
}

/** Throws BadRequest for what `writeNumberCursor` never wrote. */
export function readNumberCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (!/^\d{1,15}$/.test(text)) {
    throw new BadRequest('The cursor in `after` is not one of ours. Leave it out to begin with the first page.')
  }
  return Number(text)
}

function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text))
}
