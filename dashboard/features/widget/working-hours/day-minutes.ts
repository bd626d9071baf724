import { findOverlap, WORKING_DAYS, type WorkingHours } from '#contract/widget/working-hours.ts'
import { clockTime } from '../../../platform/times.ts'

/** The last minute of a day, which stands for midnight at its end. */
export const LAST_MINUTE = 1439
const STEP = 30

/** Possible starts: every half hour. */
export const STARTS = Array.from({ length: (LAST_MINUTE + 1) / STEP }, (_, step) => step * STEP)

/** Possible ends: every half hour after the start, and the end of the day. */
export function endsAfter(start: number): number[] {
  return [...STARTS, LAST_MINUTE].filter((minute) => minute > start)
}

/** A minute of the day in the language's form: `9:30 AM`, `09:30`. */
export function writeMinute(minute: number): string {
  return clockTime(new Date(2000, 0, 1, 0, minute))
}

/** Changes the start; an end before it moves to the end of the day. */
export function startAt(hours: WorkingHours, start_minute: number): WorkingHours {
  return { ...hours, start_minute, end_minute: hours.end_minute > start_minute ? hours.end_minute : LAST_MINUTE }
}

/** The initial working hours. */
export const WHOLE_DAY: WorkingHours = { day: 'everyday', start_minute: 0, end_minute: LAST_MINUTE }

/** Suggested hours for a new row: the first days that are not covered yet. */
export function nextHours(existing: WorkingHours[]): WorkingHours {
  const starts = [0, ...existing.map(({ end_minute }) => end_minute)].filter((minute) => minute < LAST_MINUTE)
  const offers = starts
    .sort((a, b) => a - b)
    .flatMap((start_minute) => WORKING_DAYS.map((day) => ({ ...WHOLE_DAY, day, start_minute })))
  return offers.find((offer) => !findOverlap([...existing, offer])) ?? WHOLE_DAY
}
