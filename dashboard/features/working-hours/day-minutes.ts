import { findOverlap, WORKING_DAYS, type WorkingHours } from '#contract/working-hours.ts'

/** The last minute of a day, which stands for midnight at its end. */
export const LAST_MINUTE = 1439
const STEP = 30

/** Where a working day may start: every half hour. */
export const STARTS = Array.from({ length: (LAST_MINUTE + 1) / STEP }, (_, step) => step * STEP)

/** Where it may end: every half hour after its start, and the end of the day. */
export function endsAfter(start: number): number[] {
  return [...STARTS, LAST_MINUTE].filter((minute) => minute > start)
}

/** A minute of the day on a clock of twelve hours: `9:30 am`. */
export function writeMinute(minute: number): string {
  if (minute === LAST_MINUTE) return '11:59 pm'
  const hour = Math.trunc(minute / 60)
  return `${hour % 12 || 12}:${String(minute % 60).padStart(2, '0')} ${hour < 12 ? 'am' : 'pm'}`
}

/** Another start; an end that would lie before it moves to the end of the day. */
export function startAt(hours: WorkingHours, start_minute: number): WorkingHours {
  return { ...hours, start_minute, end_minute: hours.end_minute > start_minute ? hours.end_minute : LAST_MINUTE }
}

/** What is offered to those who have no working hours yet. */
export const WHOLE_DAY: WorkingHours = { day: 'everyday', start_minute: 0, end_minute: LAST_MINUTE }

/** What is offered beside hours that are there: the first days that are free, until their end. */
export function nextHours(known: WorkingHours[]): WorkingHours {
  const starts = [0, ...known.map(({ end_minute }) => end_minute)].filter((minute) => minute < LAST_MINUTE)
  const offers = starts
    .sort((one, other) => one - other)
    .flatMap((start_minute) => WORKING_DAYS.map((day) => ({ ...WHOLE_DAY, day, start_minute })))
  return offers.find((offer) => !findOverlap([...known, offer])) ?? WHOLE_DAY
}
