import { expect, test } from 'vitest'
import { withoutMarks } from './without-marks.ts'

test('signs that format words are left out, and nothing else is', () => {
  expect(withoutMarks('Yes! **Three** are ~~gone~~ `left`')).toBe('Yes! Three are gone left')
  expect(withoutMarks('# Delivery\n> tomorrow')).toBe('Delivery\ntomorrow')
  for (const text of ['2 ** 3 ** 4', 'snake__case', 'a > b', '#1', '**', 'it`s']) expect(withoutMarks(text)).toBe(text)
})

test('an address behind words is kept beside them', () => {
  expect(withoutMarks('See [the shop](https://shop.test/a) **now**')).toBe('See the shop (https://shop.test/a) now')
})
