import { expect, test } from 'vitest'
import { sayWithin } from './within.ts'

test('how long an answer usually takes is said in a round span, in the language of the window', () => {
  expect(sayWithin(20, 'en')).toBe('1 minute')
  expect(sayWithin(4.5 * 60, 'en')).toBe('5 minutes')
  expect(sayWithin(31 * 60, 'en')).toBe('1 hour')
  expect(sayWithin(20 * 3600, 'en')).toBe('1 day')
  expect(sayWithin(5.2 * 86_400, 'en')).toBe('6 days')
  expect(sayWithin(10 * 60, 'vi')).toBe('10 phút')
})
