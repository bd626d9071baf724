import dayjs, { type Dayjs } from 'dayjs'

export type SnoozeName = 'later' | 'tomorrow' | 'monday' | 'answer'

const LATER_HOURS = 3
const MORNING = 9

/** Suggested times to snooze until. Null waits for the customer's reply. */
export function snoozeTimes(now: Date): { name: SnoozeName; until: string | null }[] {
  const local = dayjs(now)
  const tomorrow = morningOf(local.add(1, 'day'))
  const monday = morningOf(local.add((8 - local.day()) % 7 || 7, 'day'))
  return [
    { name: 'later', until: local.add(LATER_HOURS, 'hour').toISOString() },
    { name: 'tomorrow', until: tomorrow.toISOString() },
    // On Sundays, Monday is tomorrow.
    ...(monday.isSame(tomorrow) ? [] : [{ name: 'monday' as const, until: monday.toISOString() }]),
    { name: 'answer', until: null },
  ]
}

function morningOf(day: Dayjs): Dayjs {
  return day.hour(MORNING).minute(0).second(0).millisecond(0)
}

/** The time that a `datetime-local` field shows in the browser's time zone, in ISO 8601; undefined if it is past. */
export function futureTime(value: string): string | undefined {
  const time = new Date(value)
  return time.getTime() > Date.now() ? time.toISOString() : undefined
}

/** A time in the format of `datetime-local` fields, in the browser's time zone. */
export function localMinute(date: Date): string {
  return dayjs(date).format('YYYY-MM-DDTHH:mm')
}
