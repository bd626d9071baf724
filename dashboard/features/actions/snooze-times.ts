import dayjs, { type Dayjs } from 'dayjs'

export type SnoozeName = 'later' | 'tomorrow' | 'monday' | 'answer'

const LATER_HOURS = 3
const MORNING = 9

/** Until when a conversation is usually put aside, counted from now. Null waits for the customer. */
export function snoozeTimes(now: Date): { name: SnoozeName; until: string | null }[] {
  const here = dayjs(now)
  const tomorrow = morningOf(here.add(1, 'day'))
  const monday = morningOf(here.add((8 - here.day()) % 7 || 7, 'day'))
  return [
    { name: 'later', until: here.add(LATER_HOURS, 'hour').toISOString() },
    { name: 'tomorrow', until: tomorrow.toISOString() },
    // On Sundays these two are one.
    ...(monday.isSame(tomorrow) ? [] : [{ name: 'monday' as const, until: monday.toISOString() }]),
    { name: 'answer', until: null },
  ]
}

function morningOf(day: Dayjs): Dayjs {
  return day.hour(MORNING).minute(0).second(0).millisecond(0)
}

/** A moment as a field for date and time writes it, in this browser's zone. */
export function localMinute(date: Date): string {
  return dayjs(date).format('YYYY-MM-DDTHH:mm')
}
