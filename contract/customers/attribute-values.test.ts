import { expect, test } from 'vitest'
import { fitsAttribute, LONGEST_VALUE, readAttributeValue } from './attribute-values.ts'
import type { AttributeKind } from './attributes.ts'

const choices = ['Gold', 'Silver']
const BAD = undefined

/** What is entered, and what is stored; `BAD` for what is refused. */
const VALUES: Record<AttributeKind, [entered: unknown, stored: string | number | boolean | undefined][]> = {
  text: [
    ['  two  words\n', 'two words'],
    [12, '12'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['__proto__', '__proto__'],
    ['😀', '😀'],
    ['\ud800x', '\ufffdx'],
    ['x'.repeat(LONGEST_VALUE), 'x'.repeat(LONGEST_VALUE)],
    ['x'.repeat(LONGEST_VALUE + 1), BAD],
    ['x'.repeat(1_000_000), BAD],
    [true, BAD],
    [['a'], BAD],
    [{ a: { b: {} } }, BAD],
  ],
  number: [
    [0, 0],
    ['-12.50', -12.5],
    [' 7 ', 7],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['9999999999999999', BAD],
    [1e300, BAD],
    [Number.NaN, BAD],
    [Number.POSITIVE_INFINITY, BAD],
    ['1,5', BAD],
    ['0x10', BAD],
    ['1e3', BAD],
    ['٣', BAD],
    [true, BAD],
    [[5], BAD],
    [{}, BAD],
  ],
  date: [
    ['2026-02-28', '2026-02-28'],
    ['2024-02-29', '2024-02-29'],
    ['2026-01-31T23:59:59.123Z', '2026-01-31'],
    ['2026-01-31 08:00+02:00', '2026-01-31'],
    ['2026-02-29', BAD],
    ['2026-13-01', BAD],
    ['0000-01-01', BAD],
    ['31.01.2026', BAD],
    ['tomorrow', BAD],
    ['2026-01-31; drop', BAD],
    [1_767_225_600, BAD],
    [{}, BAD],
  ],
  yes_no: [
    [true, true],
    [false, false],
    ['Yes', true],
    ['0', false],
    ['maybe', BAD],
    [1, BAD],
    [['true'], BAD],
  ],
  choice: [
    ['Gold', 'Gold'],
    [' silver ', 'Silver'],
    ['Bronze', BAD],
    ['__proto__', BAD],
    ['constructor', BAD],
    [true, BAD],
    [['Gold'], BAD],
  ],
  link: [
    ['https://example.com/a b', 'https://example.com/a%20b'],
    ['HTTP://intranet/x', 'http://intranet/x'],
    ['example.com', BAD],
    ['https://', BAD],
    ['javascript:alert(1)', BAD],
    ['data:text/html,x', BAD],
    [`https://example.com/${'x'.repeat(LONGEST_VALUE)}`, BAD],
    [5, BAD],
  ],
}

for (const [kind, cases] of Object.entries(VALUES) as [AttributeKind, (typeof VALUES)[AttributeKind]][])
  test(`a value of the kind ${kind} is stored in one form or refused with a reason`, () => {
    for (const [entered, stored] of cases) {
      const read = readAttributeValue({ kind, choices }, entered)
      expect([entered, read?.value]).toEqual([entered, stored])
      expect(read?.problem === undefined).toBe(stored !== BAD)
      // What was stored is read again as the same value.
      if (stored !== BAD) expect(readAttributeValue({ kind, choices }, stored)).toEqual({ value: stored })
      expect(fitsAttribute({ kind, choices }, entered)).toBe(stored !== BAD)
    }
  })

test('no value and a blank one clear an attribute of any kind', () => {
  for (const kind of Object.keys(VALUES) as AttributeKind[])
    for (const blank of [null, undefined, '', ' \n', '\u200b'])
      expect(readAttributeValue({ kind, choices }, blank)).toBeUndefined()
})
