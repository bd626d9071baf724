// Days without a time, `YYYY-MM-DD`, in the time zone of the caller.

const DAY_MS = 86_400_000

/**
 * The day of a moment in a time zone, by its IANA name. Throws a RangeError if the zone is unknown.
 *
 * Put together from parts, because engines write dates in formats of their own: Safari's writes `en-CA` with slashes.
 */
export function dayAt(moment: Date, zone: string): string {
  return dayOfClock(clockAt(moment, zone))
}

/** The day that a clock shows, `YYYY-MM-DD`. */
export function dayOfClock({ year, month, day }: Pick<Clock, 'year' | 'month' | 'day'>): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

const CLOCK_PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
export type Clock = Record<(typeof CLOCK_PARTS)[number], number>

/** What calendar and clock show at a moment in a time zone; January is 1. Throws a RangeError if the zone is unknown. */
export function clockAt(moment: Date, timeZone: string): Clock {
  const format = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  const standard = { calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23', second: 'numeric' } as const
  const parts = new Intl.DateTimeFormat('en-US', { ...format, ...standard, timeZone }).formatToParts(moment)
  const read = (name: string) => Number(parts.find(({ type }) => type === name)?.value)
  return Object.fromEntries(CLOCK_PARTS.map((name) => [name, read(name)])) as Clock
}

/** When the local day of a time began, in epoch milliseconds: the same for all times of a day. */
export function startOfDay(time: string | Date): number {
  return new Date(time).setHours(0, 0, 0, 0)
}

/** Adds a number of days, possibly negative, to a day `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The Sunday that begins the week of a day, possibly the day itself. */
export function sundayBefore(day: string): string {
  return addDays(day, -new Date(day).getUTCDay())
}

/** Every day from the first to the last, both included. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = []
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day)
  return days
}

/** Whether a day `YYYY-MM-DD` exists: JavaScript reads 30 February as 2 March, and `banana 7` as a day in July. */
export function isCalendarDay(text: string): boolean {
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number)
  if (!year || !month || !day) return false
  return month <= 12 && day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
}
