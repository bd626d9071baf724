import * as z from 'zod/mini'

export const WORKING_DAYS = [
  'everyday',
  'weekdays',
  'weekends',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const

export const WorkingHours = z.object({
  day: z.enum(WORKING_DAYS),
  /** Minutes since midnight in the account's time zone, 0 to 1439; the end minute still counts as open. */
  start_minute: z.int().check(z.gte(0), z.lte(1439)),
  end_minute: z.int().check(z.gte(0), z.lte(1439)),
})
export type WorkingHours = z.output<typeof WorkingHours>

/** Which weekdays an entry covers; Monday is 0. */
function covers(day: WorkingHours['day'], weekday: number): boolean {
  if (day === 'everyday') return true
  if (day === 'weekdays') return weekday <= 4
  if (day === 'weekends') return weekday >= 5
  return WORKING_DAYS.indexOf(day) - 3 === weekday
}

/**
 * Whether a company is closed at a moment of its local week. A span whose start lies after its end runs over midnight.
 * No entry for today, or none at all, means closed.
 */
export function isOutsideWorkingHours(hours: WorkingHours[], weekday: number, minute: number): boolean {
  const yesterday = (weekday + 6) % 7
  return !hours.some(({ day, start_minute, end_minute }) =>
    start_minute <= end_minute
      ? covers(day, weekday) && minute >= start_minute && minute <= end_minute
      : (covers(day, weekday) && minute >= start_minute) || (covers(day, yesterday) && minute <= end_minute),
  )
}
