import * as z from 'zod/mini'
import { GivenInteger } from '../wire.ts'

/** The days and groups of days that working hours can be set for. */
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

/** Forms and some clients send numbers as text. */
const Minute = z.pipe(GivenInteger, z.int32().check(z.gte(0), z.lte(1439)))

/** When the team works on some days, in minutes of the day. */
export const WorkingHours = z.object({
  day: z.enum(WORKING_DAYS).check(z.describe('A weekday, or a group of days such as `weekdays`.')),
  start_minute: Minute.check(
    z.describe("Minutes since midnight in the account's time zone, 0 to 1439; the end minute still counts as open."),
  ),
  end_minute: Minute.check(z.describe('The last minute that counts as open.')),
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
 * Whether a company is closed at a time of its local week. A period whose start is after its end runs past midnight.
 * Days without an entry are closed.
 */
export function isOutsideWorkingHours(hours: WorkingHours[], weekday: number, minute: number): boolean {
  const yesterday = (weekday + 6) % 7
  return !hours.some(({ day, start_minute, end_minute }) =>
    start_minute <= end_minute
      ? covers(day, weekday) && minute >= start_minute && minute <= end_minute
      : (covers(day, weekday) && minute >= start_minute) || (covers(day, yesterday) && minute <= end_minute),
  )
}

const DAY = 1440

/** The periods of an entry on a weekday; one that runs past midnight also covers the start of the next day. */
function spansOn(weekday: number, { day, start_minute, end_minute }: WorkingHours): [number, number][] {
  const spans: [number, number][] = []
  const runsOver = start_minute > end_minute
  if (covers(day, weekday)) spans.push([start_minute, runsOver ? DAY : Math.max(end_minute, start_minute + 1)])
  if (runsOver && covers(day, (weekday + 6) % 7)) spans.push([0, end_minute])
  return spans
}

const WEEK = WORKING_DAYS.slice(3)

/**
 * The first two entries that overlap: their indexes in the list, and the day. Periods that only touch do not overlap.
 */
export function findOverlap(hours: WorkingHours[]): { places: [number, number]; day: WorkingHours['day'] } | undefined {
  for (const [second, late] of hours.entries()) {
    for (const [first, early] of hours.slice(0, second).entries()) {
      const day = WEEK.find((_, weekday) => overlap(spansOn(weekday, early), spansOn(weekday, late)))
      if (day) return { places: [first, second], day }
    }
  }
  return undefined
}

function overlap(early: [number, number][], late: [number, number][]): boolean {
  return early.some(([start, end]) => late.some(([from, to]) => from < end && start < to))
}
