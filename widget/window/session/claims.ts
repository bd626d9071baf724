import type { Claims } from '../calls.ts'

const KNOWN = [
  'name',
  'email',
  'phone',
  'external_id',
  'profile_photo_url',
  'host',
  'pathname',
  'current_url',
  'browser',
  'browser_version',
  'browser_language',
  'os',
  'lib',
  'time_zone',
  'screen_height',
  'screen_width',
  'metadata',
] as const

/** A value that is missing. Published pages send some of these strings for it. */
export const NOT_SAID: unknown[] = [undefined, null, '', 'undefined', 'null']

/** What the page says about its visitor, limited to keys that the server accepts. */
export function readClaims(input: Record<string, unknown>): Claims {
  return Object.fromEntries(KNOWN.flatMap((key) => (NOT_SAID.includes(input[key]) ? [] : [[key, input[key]]])))
}
