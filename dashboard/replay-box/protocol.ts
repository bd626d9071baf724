/** An rrweb event from a visitor's tab. Untrusted: anybody with the session's token can send any data. */
export type ReplayEvent = { type: number; timestamp: number; data: Record<string, unknown> }

/** A file that a watched page needs: an image or font as a `data:` URL, or the text of a style sheet. */
export interface PageFile {
  address: string
  content: string
  is_style: boolean
}

/** Messages from the page to the sandboxed frame. */
export type ToBox =
  /** Live events. */
  | { say: 'events'; events: ReplayEvent[] }
  /** The last minute, to be played from its beginning. Live events are ignored meanwhile. */
  | { say: 'past'; events: ReplayEvent[] }
  /** Switches from the last minute to live events, which begin with a full snapshot. */
  | { say: 'live' }
  /** Shown in place of another website's page. */
  | { say: 'words'; foreign: string }
  /** A requested file. */
  | ({ say: 'file' } & PageFile)

/** Messages from the sandboxed frame to the page. Untrusted, so they are validated. */
export type FromBox =
  | { say: 'ready' }
  /** The size of the visitor's window. */
  | { say: 'size'; width: number; height: number }
  /** The whole page is rendered. */
  | { say: 'drawn' }
  /** The last minute has been played. */
  | { say: 'finished' }
  /** Something could not be shown. */
  | { say: 'fault' }
  /** Files that the page needs. */
  | { say: 'wanted'; addresses: string[] }

const LARGEST = 10_000
const MAX_ADDRESS_LENGTH = 2_000

/** Parses a message from the sandboxed frame. */
export function readFromBox(message: unknown): FromBox | undefined {
  const { say, width, height, addresses } = Object(message) as Record<string, unknown>
  if (say === 'ready' || say === 'drawn' || say === 'finished' || say === 'fault') return { say }
  if (say === 'wanted' && Array.isArray(addresses)) return { say, addresses: addresses.filter(isAddress) }
  if (say !== 'size' || !isLength(width) || !isLength(height)) return undefined
  return { say, width, height }
}

function isLength(value: unknown): value is number {
  return typeof value === 'number' && value >= 1 && value <= LARGEST
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_ADDRESS_LENGTH && /^https?:\/\/\S+$/i.test(value)
}
