import { expect, test } from 'vitest'
import { formatWithin } from './within.ts'

test('the usual reply time is a rounded duration in the window’s language', () => {
  expect(formatWithin(20, 'en')).toBe('1 minute')
  expect(formatWithin(4.5 * 60, 'en')).toBe('5 minutes')
  expect(formatWithin(31 * 60, 'en')).toBe('1 hour')
  expect(formatWithin(20 * 3600, 'en')).toBe('1 day')
  expect(formatWithin(5.2 * 86_400, 'en')).toBe('6 days')
  expect(formatWithin(10 * 60, 'vi')).toBe('10 phút')
})
