import { expect, test } from 'vitest'
import { daysBetween } from '../days.ts'
import { type ClosedDay, findOverlap, isWithinWorkingHours, type WorkingHours } from './working-hours.ts'

const MONDAY = '2026-06-01'
const FRIDAY = '2026-06-05'
const SATURDAY = '2026-06-06'
const nine = { start_minute: 540, end_minute: 1020 }

function isOutside(working_hours: WorkingHours[], day: string, minute: number, closed_days: ClosedDay[] = []) {
  return !isWithinWorkingHours({ working_hours, closed_days }, day, minute)
}

test('the first and the last minute are inside', () => {
  const hours = [{ day: 'everyday' as const, ...nine }]
  expect([539, 540, 1020, 1021].map((minute) => isOutside(hours, MONDAY, minute))).toEqual([true, false, false, true])
})

test('weekdays are Monday to Friday, weekends the other two', () => {
  const open = (day: 'weekdays' | 'weekends') =>
    daysBetween(MONDAY, '2026-06-07').filter((weekday) => !isOutside([{ day, ...nine }], weekday, 600))
  expect(open('weekdays')).toEqual(daysBetween(MONDAY, FRIDAY))
  expect(open('weekends')).toEqual([SATURDAY, '2026-06-07'])
})

test('a single day covers only itself', () => {
  const hours = [{ day: 'saturday' as const, ...nine }]
  expect(isOutside(hours, SATURDAY, 600)).toBe(false)
  expect(isOutside(hours, FRIDAY, 600)).toBe(true)
})

test('one entry that covers the moment is enough', () => {
  const hours = [
    { day: 'monday' as const, ...nine },
    { day: 'everyday' as const, start_minute: 1200, end_minute: 1300 },
  ]
  expect(isOutside(hours, MONDAY, 1250)).toBe(false)
})

test('hours may run over midnight into the next day', () => {
  const hours = [{ day: 'friday' as const, start_minute: 1320, end_minute: 120 }]
  expect(isOutside(hours, FRIDAY, 1400)).toBe(false)
  expect(isOutside(hours, SATURDAY, 60)).toBe(false)
  expect(isOutside(hours, FRIDAY, 60)).toBe(true)
  expect(isOutside(hours, SATURDAY, 1400)).toBe(true)
})

test('on a closed day only its own periods are open, every year or once', () => {
  const hours: WorkingHours[] = [{ day: 'everyday', ...nine }]
  const closed = [
    { date: '2020-12-24', yearly: true, name: 'Christmas Eve', periods: [{ start_minute: 600, end_minute: 719 }] },
    { date: '2026-12-31', yearly: false, name: 'Inventory', periods: [] },
  ]
  const open = (day: string) => [540, 600, 720].filter((minute) => !isOutside(hours, day, minute, closed))
  expect(open('2026-12-24')).toEqual([600])
  expect(open('2026-12-25')).toEqual([540, 600, 720])
  expect(open('2026-12-31')).toEqual([])
  expect(open('2027-12-31')).toEqual([540, 600, 720])
})

test('the night before a closed day is worked to its end, and that of the closed day is not', () => {
  const hours: WorkingHours[] = [{ day: 'everyday', start_minute: 1320, end_minute: 120 }]
  const closed = [{ date: FRIDAY, yearly: false, name: 'Holiday', periods: [] }]
  expect(isOutside(hours, FRIDAY, 60, closed)).toBe(false)
  expect(isOutside(hours, FRIDAY, 1400, closed)).toBe(true)
  expect(isOutside(hours, SATURDAY, 60, closed)).toBe(true)
})

test.each([
  [
    'the same hours twice',
    [
      { day: 'monday', ...nine },
      { day: 'monday', ...nine },
    ],
    [0, 1],
    'monday',
  ],
  [
    'a day that others cover, too',
    [
      { day: 'weekdays', ...nine },
      { day: 'friday', ...nine },
    ],
    [0, 1],
    'friday',
  ],
  [
    'an end after the next start',
    [
      { day: 'sunday', ...nine },
      { day: 'weekends', start_minute: 600, end_minute: 1200 },
    ],
    [0, 1],
    'sunday',
  ],
  [
    'what runs over midnight into hours of the next day',
    [
      { day: 'saturday', ...nine },
      { day: 'sunday', start_minute: 1320, end_minute: 600 },
      { day: 'monday', ...nine },
    ],
    [1, 2],
    'monday',
  ],
  [
    'a single minute',
    [
      { day: 'monday', start_minute: 9, end_minute: 9 },
      { day: 'everyday', start_minute: 9, end_minute: 9 },
    ],
    [0, 1],
    'monday',
  ],
] as const)('hours overlap: %s', (_, hours, indexes, day) => {
  expect(findOverlap([...hours])).toEqual({ indexes, day })
})

test('hours that only touch, or have no common day, do not overlap', () => {
  expect(
    findOverlap([
      { day: 'weekdays', ...nine },
      { day: 'weekends', ...nine },
      { day: 'everyday', start_minute: nine.end_minute, end_minute: 1439 },
      { day: 'friday', start_minute: 0, end_minute: nine.start_minute },
    ]),
  ).toBeUndefined()
})
