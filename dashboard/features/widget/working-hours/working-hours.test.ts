import i18next from 'i18next'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { endsAfter, LAST_MINUTE, nextHours, STARTS, startAt, WHOLE_DAY, writeMinute } from './day-minutes.ts'
import { describe, listTimeZones } from './time-zones.ts'

beforeAll(async () => void (await i18next.init({ lng: 'en' })))
afterEach(async () => void (await i18next.changeLanguage('en')))

test('times go in half hours, shown on a 12-hour clock in English and on a 24-hour clock in Vietnamese', async () => {
  expect(STARTS).toHaveLength(48)
  expect([0, 30, 570, 720, 810, LAST_MINUTE].map(writeMinute)).toEqual([
    '12:00 AM',
    '12:30 AM',
    '9:30 AM',
    '12:00 PM',
    '1:30 PM',
    '11:59 PM',
  ])
  await i18next.changeLanguage('vi')
  expect([0, 570, 810, LAST_MINUTE].map(writeMinute)).toEqual(['00:00', '09:30', '13:30', '23:59'])
})

test('a day starts at any half hour but never in its last minute, and ends after its start', () => {
  expect(STARTS).not.toContain(LAST_MINUTE)
  expect(endsAfter(1380)).toEqual([1410, LAST_MINUTE])
  expect(endsAfter(1410)).toEqual([LAST_MINUTE])
})

test('an end before the new start moves to the end of the day', () => {
  const hours = { ...WHOLE_DAY, start_minute: 540, end_minute: 1020 }
  expect(startAt(hours, 600)).toMatchObject({ start_minute: 600, end_minute: 1020 })
  expect(startAt(hours, 1080)).toMatchObject({ start_minute: 1080, end_minute: LAST_MINUTE })
})

test('new hours start at the first free time', () => {
  const nine = { start_minute: 540, end_minute: 1020 }
  const office = { day: 'weekdays' as const, ...nine }
  expect(nextHours([])).toEqual(WHOLE_DAY)
  expect(nextHours([office])).toEqual({ ...WHOLE_DAY, day: 'weekends' })
  expect(nextHours([{ day: 'everyday', ...nine }])).toEqual({ ...WHOLE_DAY, start_minute: 1020 })
  expect(nextHours([WHOLE_DAY])).toEqual(WHOLE_DAY)
})

const WINTER = new Date('2026-01-15T12:00:00Z')

test('time zones go from west to east with their distance from UTC, about four hundred of them', () => {
  const labels = listTimeZones(WINTER, ['Asia/Saigon', 'America/St_Johns', 'Europe/Berlin']).map(({ label }) => label)
  expect(labels).toEqual([
    '(UTC-03:30) America/St Johns',
    '(UTC+00:00) UTC',
    '(UTC+01:00) Europe/Berlin',
    '(UTC+07:00) Asia/Ho Chi Minh',
  ])
  expect(listTimeZones(WINTER).length).toBeGreaterThan(380)
})

test('a zone the browser does not know is shown by its name', () => {
  expect(describe('Nowhere/Land', WINTER).label).toBe('(UTC+00:00) Nowhere/Land')
})
