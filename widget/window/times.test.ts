import { expect, test } from 'vitest'
import { formatAgo, formatDay, isSameDay } from './times.ts'

const now = new Date(2026, 5, 15, 12, 0, 0).getTime()
const ago = (seconds: number, language = 'en') => formatAgo(now - seconds * 1000, now, language, 'just now')

test('times are worded as in the published widgets', () => {
  expect(ago(9)).toBe('just now')
  expect(ago(-30), 'a clock that runs ahead').toBe('just now')
  expect(ago(10)).toBe('10 seconds ago')
  expect(ago(60)).toBe('1 minute ago')
  expect(ago(59 * 60 + 59)).toBe('59 minutes ago')
  expect(ago(3600)).toBe('1 hour ago')
  expect(ago(23 * 3600)).toBe('23 hours ago')
  expect(ago(3 * 86_400)).toBe('3 days ago')
  expect(ago(300, 'vi')).toBe('5 phút trước')
})

test('days are written naturally, with the year only if it is another', () => {
  const day = (year: number, month: number, date: number) =>
    formatDay(new Date(year, month, date, 23, 59).getTime(), now, 'en')
  expect(day(2026, 5, 15)).toBe('Today')
  expect(day(2026, 5, 14)).toBe('Yesterday')
  expect(day(2026, 5, 10)).toBe('Wednesday, June 10')
  expect(day(2025, 11, 31)).toBe('Wednesday, December 31, 2025')
  expect(isSameDay(new Date(2026, 5, 14, 23, 59).getTime(), now)).toBe(false)
})
