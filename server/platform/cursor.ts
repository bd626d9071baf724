import { BadRequest } from '../errors.ts'

/**
 * A position in a list ordered by time, newest first, with the id to break ties. Times are ISO 8601 with milliseconds
 * and ids lower case, so both compare as text like in the database.
 */
export interface Position {
  at: string
  id: string
}

/** The start of the next page, for clients to send back. */
export function writeCursor({ at, id }: Position): string {
  return Buffer.from(`${at} ${id}`).toString('base64url')
}

/** Throws BadRequest for anything that `writeCursor` did not produce: the database would fail on it. */
export function readCursor(cursor: string): Position {
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (!isMoment(at) || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) {
    throw new BadRequest('The cursor in `after` is invalid. Leave it out to begin with the first page.')
  }
  return { at, id }
}

/** The start of the next page in a list ordered by a number. */
export function writeNumberCursor(number: number): string {
  return Buffer.from(String(number)).toString('base64url')
}

/** Throws BadRequest for anything that `writeNumberCursor` did not produce. */
export function readNumberCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (!/^\d{1,15}$/.test(text)) {
    throw new BadRequest('The cursor in `after` is invalid. Leave it out to begin with the first page.')
  }
  return Number(text)
}

function isMoment(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) || Number.isNaN(Date.parse(text))) return false
  // 30 February is parsed as 2 March; the database has no year 0.
  return new Date(text).toISOString() === text && !text.startsWith('0000')
}
