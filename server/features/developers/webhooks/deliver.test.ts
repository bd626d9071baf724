import { expect, test } from 'vitest'
import { waitAfter } from './deliver.ts'

test('each wait is about twice as long as the one before, up to an hour, and never quite the same', () => {
  expect([1, 2, 3, 4].map((failures) => waitAfter(failures, 0.5))).toEqual([5_000, 10_000, 20_000, 40_000])
  expect(waitAfter(30, 0.5)).toBe(3_600_000)
  expect([waitAfter(1, 0), waitAfter(1, 1)]).toEqual([3_750, 6_250])
})
