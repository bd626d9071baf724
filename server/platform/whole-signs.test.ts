import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withWholeSigns } from './whole-signs.ts'

test.each([
  ['"\\ud83d\\ude00 \\uD83D\\uDE00"', '😀 😀'],
  ['"cut \\ud83d"', 'cut \ufffd'],
  ['"\\ude00\\ud83d\\ud83d\\ude00"', '\ufffd\ufffd😀'],
  ['"C:\\\\ud83d"', 'C:\\ud83d'],
  ['"\\\\\\ud83d\\n"', '\\\ufffd\n'],
])('%s is read as %s', (json, text) => {
  expect(JSON.parse(withWholeSigns(json))).toBe(text)
})

test('of any text the whole signs stay', () => {
  const halves = fc.array(fc.constantFrom('\ud83d', '\ude00', '\\', 'u', 'd83d', '"', 'ä', '\n'), { maxLength: 12 })
  fc.assert(
    fc.property(halves, (parts) => {
      const text = parts.join('')
      expect(JSON.parse(withWholeSigns(JSON.stringify({ [text]: text })))).toEqual({
        [text.toWellFormed()]: text.toWellFormed(),
      })
    }),
    { seed: 20_261_122 },
  )
})
