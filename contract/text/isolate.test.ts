import { expect, test } from 'vitest'
import { isolate } from './isolate.ts'

test('a name is kept together where it or the sentence around it is written from right to left', () => {
  expect(`${isolate('עדה')} (2)`).toBe('\u2068עדה\u2069 (2)')
  expect(isolate('ليلى (متجر)')).toBe('\u2068ليلى (متجر)\u2069')
  expect(isolate('Ada!', 'كتب {{name}}')).toBe('\u2068Ada!\u2069')
})

test('other names stay as they are', () => {
  for (const name of ['Ada', 'Zoë', 'Дарья', '陳', '', '👩‍🚀']) expect(isolate(name, '{{name}} wrote:')).toBe(name)
})
