/** Something that happened in a visitor's tab, in the form of rrweb. Whoever holds a session may send anything for it. */
export type ReplayEvent = { type: number; timestamp: number; data: Record<string, unknown> }

/** What a watched page is drawn with: a picture or font as a `data:` address, or the text of a stylesheet. */
export interface PageFile {
  address: string
  content: string
  is_style: boolean
}

/** What the page says to the box. */
export type ToBox =
  /** What happens now. */
  | { say: 'events'; events: ReplayEvent[] }
  /** What happened in the minute before, to be played from its beginning. What happens meanwhile is not shown. */
  | { say: 'past'; events: ReplayEvent[] }
  /** From the minute before to what happens now, which begins with a picture of the whole page. */
  | { say: 'live' }
  /** What stands in the place of another website's page. */
  | { say: 'words'; foreign: string }
  /** Something that was wanted. */
  | ({ say: 'file' } & PageFile)

/** What the box says to the page. Believed in nothing but its form. */
export type FromBox =
  | { say: 'ready' }
  /** How large the visitor's window is. */
  | { say: 'size'; width: number; height: number }
  /** The whole page stands. */
  | { say: 'drawn' }
  /** The minute before has been played to its end. */
  | { say: 'finished' }
  /** Something could not be shown. */
  | { say: 'fault' }
  /** The page is drawn with these, too. */
  | { say: 'wanted'; addresses: string[] }

const LARGEST = 10_000
const LONGEST_ADDRESS = 2_000

/** Reads what came out of the box. */
export function readFromBox(said: unknown): FromBox | undefined {
  const { say, width, height, addresses } = Object(said) as Record<string, unknown>
  if (say === 'ready' || say === 'drawn' || say === 'finished' || say === 'fault') return { say }
  if (say === 'wanted' && Array.isArray(addresses)) return { say, addresses: addresses.filter(isAddress) }
  if (say !== 'size' || !isLength(width) || !isLength(height)) return undefined
  return { say, width, height }
}

function isLength(value: unknown): value is number {
  return typeof value === 'number' && value >= 1 && value <= LARGEST
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_ADDRESS && /^https?:\/\/\S+$/i.test(value)
}
