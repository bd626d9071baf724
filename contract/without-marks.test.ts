import { expect, test } from 'vitest'
import { previewOf, withoutMarks } from './without-marks.ts'

test('formatting characters are removed, and nothing else', () => {
  expect(withoutMarks('Yes! **Three** are ~~gone~~ `left`')).toBe('Yes! Three are gone left')
  expect(withoutMarks('# Delivery\n> tomorrow')).toBe('Delivery\ntomorrow')
  for (const text of ['2 ** 3 ** 4', 'snake__case', 'a > b', '#1', '**', 'it`s']) expect(withoutMarks(text)).toBe(text)
})

test('the URL of a link is kept next to its text', () => {
  expect(withoutMarks('See [the shop](https://shop.test/a) **now**')).toBe('See the shop (https://shop.test/a) now')
})

test('the preview of a message is its beginning', () => {
  expect(previewOf(`**Hello** ${'x'.repeat(10_000)}`)).toMatch(/^Hello x{294}$/)
})

// Quadratic time would exceed the time limit of a test many times over.
test.for(['[', '[a', '![', '[a](https://', '[a](', '**a ', '__a ', '~~a ', '`a ', '*', '>', '#', '> '])(
  'a text of half a million characters of %j is read in linear time',
  (piece) => {
    const text = piece.repeat(500_000 / piece.length)
    expect(withoutMarks(text).length).toBeGreaterThan(0)
  },
)
