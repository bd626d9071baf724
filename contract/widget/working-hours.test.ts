import { expect, test } from 'vitest'
import { findOverlap, isOutsideWorkingHours } from './working-hours.ts'

const MONDAY = 0
const FRIDAY = 4
const SATURDAY = 5
const nine = { start_minute: 540, end_minute: 1020 }

test('the first and the last minute are inside', () => {
  const hours = [{ day: 'everyday' as const, ...nine }]
  expect([539, 540, 1020, 1021].map((minute) => isOutsideWorkingHours(hours, MONDAY, minute))).toEqual([
    true,
    false,
    false,
    true,
  ])
})

test('weekdays are Monday to Friday, weekends the other two', () => {
  const open = (day: 'weekdays' | 'weekends') =>
    [0, 1, 2, 3, 4, 5, 6].filter((weekday) => !isOutsideWorkingHours([{ day, ...nine }], weekday, 600))
  expect(open('weekdays')).toEqual([0, 1, 2, 3, 4])
  expect(open('weekends')).toEqual([5, 6])
})

test('a single day covers only itself', () => {
  const hours = [{ day: 'saturday' as const, ...nine }]
  expect(isOutsideWorkingHours(hours, SATURDAY, 600)).toBe(false)
  expect(isOutsideWorkingHours(hours, FRIDAY, 600)).toBe(true)
})

test('one entry that covers the moment is enough', () => {
  const hours = [
    { day: 'monday' as const, ...nine },
    { day: 'everyday' as const, start_minute: 1200, end_minute: 1300 },
  ]
  expect(isOutsideWorkingHours(hours, MONDAY, 1250)).toBe(false)
})

test('hours may run over midnight into the next day', () => {
  const hours = [{ day: 'friday' as const, start_minute: 1320, end_minute: 120 }]
  expect(isOutsideWorkingHours(hours, FRIDAY, 1400)).toBe(false)
  expect(isOutsideWorkingHours(hours, SATURDAY, 60)).toBe(false)
  expect(isOutsideWorkingHours(hours, FRIDAY, 60)).toBe(true)
  expect(isOutsideWorkingHours(hours, SATURDAY, 1400)).toBe(true)
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
] as const)('hours overlap: %s', (_, hours, places, day) => {
  expect(findOverlap([...hours])).toEqual({ places, day })
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
