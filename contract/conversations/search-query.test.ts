import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSearch, type SearchPart } from './search-query.ts'
import { findMatches, foldWords } from './search-words.ts'

/** Typical input and typing errors: words, complete and broken operators, quotes, blanks, anything. */
const typed = fc
  .array(
    fc.oneof(
      fc.constantFrom('from:', 'tag:', 'STATUS:open', 'status:', 'before:2026-01-31', 'after:2026-02-30', 'has:file'),
      fc.constantFrom(
        '"',
        '“',
        '”',
        ':',
        ' ',
        '  ',
        '\t',
        'me',
        'đơn hàng',
        'assignee:"Ada M',
        'inbox:"Hỗ trợ"',
        'note:x',
      ),
      fc.string({ unit: 'binary', maxLength: 12 }),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''))

const kinds = (text: string) =>
  parseSearch(text).map((part) => `${part.kind === 'operator' ? part.operator : part.kind} ${part.value}`)

test('words, phrases and operators are distinguished, in any order and case', () => {
  expect(kinds('refund from:me "late again" Tag:"very important" LO-2012')).toEqual([
    'word refund',
    'from me',
    'phrase late again',
    'tag very important',
    'word LO-2012',
  ])
  expect(kinds('status:OPEN has:File before:2026-01-31 after:2025-12-01')).toEqual([
    'status open',
    'has file',
    'before 2026-01-31',
    'after 2025-12-01',
  ])
})

test('unknown operators, bare colons and invalid values are plain words', () => {
  for (const text of [
    'note:x',
    ':',
    'tag:',
    'status:maybe',
    'has:cake',
    'before:monday',
    'after:2026-02-30',
    '10:30',
  ]) {
    expect(kinds(text), text).toEqual([`word ${text}`])
  }
})

test('an unclosed quotation extends to the end', () => {
  expect(kinds('say "good mor')).toEqual(['word say', 'phrase good mor'])
  expect(kinds('tag:"very imp')).toEqual(['tag very imp'])
  expect(kinds('""')).toEqual([])
})

test('for any input, the parts are in order within the text, and only blanks and quotes are outside of them', () => {
  fc.assert(
    fc.property(typed, (text) => {
      let at = 0
      let outside = ''
      for (const { start, end } of parseSearch(text)) {
        expect(start).toBeGreaterThanOrEqual(at)
        expect(end).toBeGreaterThan(start)
        outside += text.slice(at, start)
        at = end
      }
      expect(at).toBeLessThanOrEqual(text.length)
      expect(outside + text.slice(at)).toMatch(/^[\s"“”„]*$/)
    }),
    { numRuns: 2000, seed: 20_261_121 },
  )
})

test('each part means the same by itself', () => {
  fc.assert(
    fc.property(typed, (text) => {
      for (const part of parseSearch(text)) {
        const alone = parseSearch(text.slice(part.start, part.end))
        expect(alone).toEqual([{ ...part, start: 0, end: part.end - part.start }])
      }
    }),
    { numRuns: 2000, seed: 20_261_121 },
  )
})

const marked = (text: string, query: string) =>
  findMatches(text, parseSearch(query)).map(({ start, end }) => text.slice(start, end))

test('matching words are highlighted in the original text, with its accents', () => {
  expect(marked('Đơn hàng của bạn ở Đà Nẵng.', 'da nang don')).toEqual(['Đơn', 'Đà', 'Nẵng'])
  expect(marked('Đơn hàng ở Đà Nẵng'.normalize('NFD'), 'đà nẵng')).toEqual(
    ['Đà', 'Nẵng'].map((word) => word.normalize('NFD')),
  )
  expect(marked('The refund, refunds and unrefunded', 'refun')).toEqual(['refund', 'refunds'])
  expect(marked('order LO-20123 is late', 'lo-201')).toEqual(['LO-20123'])
  expect(marked('late again, again late', '"again late"')).toEqual(['again late'])
  expect(marked('from me to you', 'from:me')).toEqual([])
})

test('highlighted ranges never overlap and never exceed the text', () => {
  const part = fc.record({
    kind: fc.constantFrom('word', 'phrase'),
    value: fc.string({ unit: 'grapheme', maxLength: 4 }),
  })
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(part), (text, parts) => {
      let at = 0
      for (const { start, end } of findMatches(text, parts as SearchPart[])) {
        expect(start).toBeGreaterThanOrEqual(at)
        expect(end).toBeGreaterThan(start)
        at = end
      }
      expect(at).toBeLessThanOrEqual(text.length)
    }),
    { seed: 20_261_121 },
  )
})

test('composed and decomposed letters match each other', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const words = (form: string) => foldWords(text.normalize(form)).map(({ word }) => word)
      expect(words('NFD')).toEqual(words('NFC'))
    }),
    { seed: 20_261_121 },
  )
})
