import { expect, test } from 'vitest'
import { withoutMarks } from './without-marks.ts'

test('formatting characters are removed, and nothing else', () => {
  expect(withoutMarks('Yes! **Three** are ~~gone~~ `left`')).toBe('Yes! Three are gone left')
  expect(withoutMarks('# Delivery\n> tomorrow')).toBe('Delivery\ntomorrow')
  for (const text of ['2 ** 3 ** 4', 'snake__case', 'a > b', '#1', '**', 'it`s']) expect(withoutMarks(text)).toBe(text)
})

test('the URL of a link is kept next to its text', () => {
  expect(withoutMarks('See [the shop](https://shop.test/a) **now**')).toBe('See the shop (https://shop.test/a) now')
})
