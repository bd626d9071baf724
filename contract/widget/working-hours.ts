import * as z from 'zod/mini'
import { addDays } from '../days.ts'
import { BooleanInput, Day, FilledText, IntegerInput } from '../wire.ts'

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
const Minute = z.pipe(IntegerInput, z.int32().check(z.gte(0), z.lte(1439)))

/** A span of a day. One whose start is after its end runs past midnight. */
const Period = z.object({
  start_minute: Minute.check(
    z.describe("Minutes since midnight in the account's time zone, 0 to 1439; the end minute still counts as open."),
  ),
  end_minute: Minute.check(z.describe('The last minute that counts as open.')),
})
export type Period = z.output<typeof Period>

/** When the team works on some days, in minutes of the day. */
export const WorkingHours = z.extend(
  z.object({
    day: z.enum(WORKING_DAYS).check(z.describe('A weekday, or a group of days such as `weekdays`.')),
  }),
  Period.shape,
)
export type WorkingHours = z.output<typeof WorkingHours>

/** Entries of a list of working hours. */
export const MAX_WORKING_HOURS = 50

/** A day on which the usual hours do not apply, such as a holiday. */
export const ClosedDay = z.object({
  date: Day.check(z.refine(isDate, 'is invalid'), z.describe('In the account’s time zone.')),
  yearly: z
    ._default(z.pipe(BooleanInput, z.boolean()), false)
    .check(z.describe('Whether it comes again every year on this date.')),
  name: FilledText(100),
  periods: z
    ._default(z.array(Period).check(z.maxLength(10)), [])
    .check(z.describe('When the team works nevertheless; empty if it does not.')),
})
export type ClosedDay = z.output<typeof ClosedDay>

/** Closed days of an account. */
export const MAX_CLOSED_DAYS = 200

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < '1900' || text >= '2200') return false
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** When a team works: every week, and on days that are different. */
export interface WorkingCalendar {
  working_hours: WorkingHours[]
  closed_days: ClosedDay[]
}

/** Which weekdays an entry covers; Monday is 0. */
function covers(day: WorkingHours['day'], weekday: number): boolean {
  if (day === 'everyday') return true
  if (day === 'weekdays') return weekday <= 4
  if (day === 'weekends') return weekday >= 5
  return WORKING_DAYS.indexOf(day) - 3 === weekday
}

/**
 * The periods that begin on a day, `YYYY-MM-DD`. A closed day replaces them by its own. What began the evening before and
 * runs past midnight belongs to that day, as the night of a bar does.
 */
export function periodsOf({ working_hours, closed_days }: WorkingCalendar, day: string): Period[] {
  const closed = closed_days.filter(({ date, yearly }) => date === day || (yearly && date.slice(5) === day.slice(5)))
  if (closed.length > 0) return closed.flatMap(({ periods }) => periods)
  const weekday = (new Date(day).getUTCDay() + 6) % 7
  return working_hours.filter((hours) => covers(hours.day, weekday))
}

/** Whether the team works at a minute of a day on the local clock. Days without an entry are closed. */
export function isWithinWorkingHours(calendar: WorkingCalendar, day: string, minute: number): boolean {
  const isOpenToday = periodsOf(calendar, day).some(({ start_minute, end_minute }) =>
    start_minute <= end_minute ? minute >= start_minute && minute <= end_minute : minute >= start_minute,
  )
  return (
    isOpenToday ||
    periodsOf(calendar, addDays(day, -1)).some(
      ({ start_minute, end_minute }) => start_minute > end_minute && minute <= end_minute,
    )
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
export function findOverlap(
  hours: WorkingHours[],
): { indexes: [number, number]; day: WorkingHours['day'] } | undefined {
  for (const [second, late] of hours.entries()) {
    for (const [first, early] of hours.slice(0, second).entries()) {
      const day = WEEK.find((_, weekday) => overlap(spansOn(weekday, early), spansOn(weekday, late)))
      if (day) return { indexes: [first, second], day }
    }
  }
  return undefined
}

function overlap(early: [number, number][], late: [number, number][]): boolean {
  return early.some(([start, end]) => late.some(([from, to]) => from < end && start < to))
}
