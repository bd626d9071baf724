/** A suggested time for sending. */
export type SendTimeName = 'hour' | 'tomorrow' | 'monday'

const HOUR_MS = 3_600_000
const MORNING = 9

/**
 * Suggested times: in an hour, and nine o'clock of the next morning and of the next Monday in a time zone, which is the
 * customer's if it is known.
 */
export function sendTimes(now: Date, time_zone: string): { name: SendTimeName; at: string }[] {
  const today = localDay(now, time_zone)
  const weekday = new Date(today).getUTCDay()
  const morning = (days: number) => atHour(today + days * 24 * HOUR_MS, MORNING, time_zone).toISOString()
  const toMonday = (8 - weekday) % 7 || 7
  return [
    { name: 'hour', at: new Date(now.getTime() + HOUR_MS).toISOString() },
    { name: 'tomorrow', at: morning(1) },
    // On Sundays, Monday is tomorrow.
    ...(toMonday === 1 ? [] : [{ name: 'monday' as const, at: morning(toMonday) }]),
  ]
}

/** A customer's time zone if it is one that the browser knows, otherwise the browser's own. */
export function knownTimeZone(time_zone: string | null): string {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (!time_zone) return own
  try {
    return Intl.DateTimeFormat('en', { timeZone: time_zone }).resolvedOptions().timeZone
  } catch {
    return own
  }
}

/** The day that it is in a time zone, as midnight of that day in UTC. */
function localDay(time: Date, time_zone: string): number {
  const { year, month, day } = partsOf(time, time_zone)
  return Date.UTC(year, month - 1, day)
}

/** The moment at which it is this hour of a day in a time zone, on days of any length. */
function atHour(day: number, hour: number, time_zone: string): Date {
  const wanted = day + hour * HOUR_MS
  // The offset of the zone at nearly that moment, then at that moment.
  const near = wanted - offsetAt(new Date(wanted), time_zone)
  return new Date(wanted - offsetAt(new Date(near), time_zone))
}

/** How far the clocks of a time zone are ahead of UTC, in milliseconds. */
function offsetAt(time: Date, time_zone: string): number {
  const { year, month, day, hour, minute, second } = partsOf(time, time_zone)
  const local = Date.UTC(year, month - 1, day, hour, minute, second)
  return local - Math.floor(time.getTime() / 1000) * 1000
}

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'

function partsOf(time: Date, timeZone: string): Record<Part, number> {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const parts = format.formatToParts(time).map(({ type, value }) => [type, Number(value)])
  return Object.fromEntries(parts)
}
