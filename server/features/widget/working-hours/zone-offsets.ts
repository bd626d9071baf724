/** Times, in seconds since 1970, at which a time zone's offset to UTC changes, and the offsets in seconds. */
export interface ZoneOffsets {
  changes: number[]
  /** One more than changes: the first one is valid before all of them. */
  offsets: number[]
}

/** No data is older, and none of today will be counted later. */
const FIRST_YEAR = 2000
const LAST_YEAR = 2060
/** Offsets never change twice within this time, except by a law of a few days' validity. */
const STEP = 14 * 86_400

const cache = new Map<string, ZoneOffsets>()

/** The offsets of a time zone from 2000 to 2060, as far as laws of today say. */
export function zoneOffsets(time_zone: string): ZoneOffsets {
  const stored = cache.get(time_zone)
  if (stored) return stored
  const offsetAt = offsetReader(time_zone)
  const changes: number[] = []
  const offsets = [offsetAt(secondsAt(FIRST_YEAR))]
  for (let at = secondsAt(FIRST_YEAR); at < secondsAt(LAST_YEAR); at += STEP) {
    const next = offsetAt(at + STEP)
    if (next === offsets.at(-1)) continue
    changes.push(findChange(offsetAt, at, at + STEP))
    offsets.push(next)
  }
  const zone = { changes, offsets }
  cache.set(time_zone, zone)
  return zone
}

function secondsAt(year: number): number {
  return Date.UTC(year, 0, 1) / 1000
}

/** The first second with the offset of `to`. */
function findChange(offsetAt: (seconds: number) => number, from: number, to: number): number {
  let [before, after] = [from, to]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(middle) === offsetAt(to)) after = middle
    else before = middle
  }
  return after
}

function offsetReader(time_zone: string): (seconds: number) => number {
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: time_zone,
    calendar: 'gregory',
    hourCycle: 'h23',
    ...numeric,
    second: 'numeric',
  })
  return (seconds) => {
    const parts = Object.fromEntries(
      format.formatToParts(seconds * 1000).map(({ type, value }) => [type, Number(value)]),
    )
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - seconds
  }
}
