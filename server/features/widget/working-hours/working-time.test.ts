import { expect, test } from 'vitest'
import { clockAt, dayOfClock } from '#contract/days.ts'
import { type ClosedDay, isWithinWorkingHours, type WorkingHours } from '#contract/widget/working-hours.ts'
import { addWorking, subtractWorking, workingBetween } from './working-time.ts'

const MINUTE = 60_000

/** Ends at whole hours are stored with their last minute, so that the model below counts the same minutes. */
const HOURS: Record<string, WorkingHours[]> = {
  'an office with a lunch break': [
    { day: 'weekdays', start_minute: 540, end_minute: 719 },
    { day: 'weekdays', start_minute: 780, end_minute: 1019 },
  ],
  'nights past midnight': [{ day: 'everyday', start_minute: 1320, end_minute: 359 }],
  'a night around the change of the clocks': [{ day: 'sunday', start_minute: 90, end_minute: 209 }],
  'around the clock': [{ day: 'everyday', start_minute: 0, end_minute: 1439 }],
}

const CLOSED: ClosedDay[] = [
  { date: '2020-10-26', yearly: true, name: 'Every year', periods: [] },
  { date: '2026-03-30', yearly: false, name: 'Once', periods: [{ start_minute: 600, end_minute: 659 }] },
]

/** Both changes of summer time, in zones with whole, half and odd hours, and one that jumps over midnight. */
const PLACES = [
  ['Europe/Berlin', '2026-03-27T11:00:00Z', '2026-10-23T11:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-03T03:00:00Z', '2026-10-02T03:00:00Z'],
  ['America/St_Johns', '2026-03-06T17:00:00Z', '2026-10-30T17:00:00Z'],
  ['America/Havana', '2026-03-06T17:00:00Z', '2026-10-30T17:00:00Z'],
  ['Asia/Kathmandu', '2026-03-27T05:00:00Z', '2026-10-23T05:00:00Z'],
] as const

/** Day and minute that the local clock shows in each minute of four days after a moment. */
function readClock(time_zone: string, from: number) {
  return Array.from({ length: 4 * 1440 }, (_, index) => {
    const clock = clockAt(new Date(from + index * MINUTE), time_zone)
    return { date: dayOfClock(clock), minute: clock.hour * 60 + clock.minute }
  })
}

const STARTS = PLACES.flatMap(([zone, ...starts]) => starts.map((start) => [zone, start] as const))

test.for(STARTS)('working time is that of the local clock, also where clocks change: %s, %s', ([time_zone, start]) => {
  const from = Date.parse(start)
  const clock = readClock(time_zone, from)
  for (const [name, working_hours] of Object.entries(HOURS)) {
    const schedule = { time_zone, working_hours, closed_days: CLOSED }
    const minutes = clock.map(({ date, minute }) => isWithinWorkingHours(schedule, date, minute))
    let worked = 0
    for (const [index, isWorked] of minutes.entries()) {
      if (index % 37 === 0) {
        const to = from + index * MINUTE
        expect.soft(workingBetween(from, to, schedule), `${name} until ${index}`).toBe(worked * MINUTE)
      }
      if (!isWorked) continue
      worked++
      if (worked % 23 !== 0) continue
      // The moment at which a duration has passed, to the second within the minute.
      const due = from + index * MINUTE + 17_000
      const duration = (worked - 1) * MINUTE + 17_000
      expect.soft(addWorking(from, duration, schedule), `${name} after ${worked}`).toBe(due)
      const since = subtractWorking(due, duration, schedule)!
      expect.soft(since, `${name} before ${worked}`).toBeGreaterThanOrEqual(from)
      expect.soft(workingBetween(since, due, schedule), `${name} before ${worked}`).toBe(duration)
    }
  }
})

test('an hour before the weekend and one after it are two hours', () => {
  const schedule = {
    time_zone: 'Europe/Berlin',
    working_hours: HOURS['an office with a lunch break']!,
    closed_days: [],
  }
  const friday = Date.parse('2026-03-27T15:30:00Z')
  expect(new Date(addWorking(friday, 3_600_000, schedule)!).toISOString()).toBe('2026-03-30T07:30:00.000Z')
})

test('a duration that is used up ends where it starts, and one without hours passes on every clock', () => {
  expect(addWorking(1_000, -5, undefined)).toBe(995)
  expect(workingBetween(2_000, 1_000, undefined)).toBe(0)
})

test('a team that never works has no end of a duration', () => {
  const never = { time_zone: 'UTC', working_hours: [], closed_days: [] }
  expect(addWorking(0, 1, never)).toBeUndefined()
  expect(subtractWorking(0, 1, never)).toBeUndefined()
  const holidays = [{ date: '2000-02-29', yearly: true, name: 'Leap day', periods: [] }]
  const leapDays = { ...never, working_hours: [{ day: 'everyday' as const, start_minute: 0, end_minute: 9 }] }
  expect(addWorking(Date.parse('2028-02-28T23:00:00Z'), 1, { ...leapDays, closed_days: holidays })).toBe(
    Date.parse('2028-03-01T00:00:00.001Z'),
  )
})
