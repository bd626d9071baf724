import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutMarks } from '#contract/text/plain.ts'
import type { Entity } from './entities.ts'
import { splitText } from './split.ts'
import { toEntities } from './to-entities.ts'
import { toMarkdown } from './to-markdown.ts'

const entity = (type: string, offset: number, length: number, more: object = {}): Entity => ({
  type,
  offset,
  length,
  ...more,
})
const sent = (body: string) => toEntities({ body, customer_id: null })

test('formatting of Telegram becomes Markdown, counted in UTF-16 units', () => {
  const text = '👋🏽 Hello big world'
  expect(toMarkdown(text, [entity('bold', 5, 5), entity('italic', 11, 3)])).toBe('👋🏽 **Hello** *big* world')
  expect(toMarkdown('see shop', [entity('text_link', 4, 4, { url: 'https://shop.example/a' })])).toBe(
    'see [shop](https://shop.example/a)',
  )
  expect(toMarkdown('run x = 1', [entity('code', 4, 5)])).toBe('run `x = 1`')
  expect(toMarkdown('a\nb', [entity('pre', 0, 3, { language: 'js' })])).toBe('```js\na\nb\n```')
  expect(toMarkdown('said\nyes', [entity('blockquote', 0, 4)])).toBe('> said\n\nyes')
  expect(toMarkdown('all bold', [entity('bold', 0, 8), entity('italic', 4, 4)])).toBe('**all *bold***')
})

test('names, commands and addresses stay text, and characters that only look like formatting are kept', () => {
  for (const text of ['/start @nina #sale', 'https://shop.example/a_b_c', '2*3*4', '¯\\_(ツ)_/¯', '[x](y)', '*star*']) {
    expect(withoutMarks(toMarkdown(text, []))).toBe(text)
  }
  expect(toMarkdown('https://shop.example/a_b_c *not*', [])).toBe('https://shop.example/a_b_c \\*not\\*')
})

test('a link that would run a script stays text', () => {
  expect(toMarkdown('press me', [entity('text_link', 0, 8, { url: 'javascript:alert(1)' })])).toBe('press me')
})

test('hostile entities are left out: outside of the text, crossing, negative, endless', () => {
  expect(toMarkdown('short', [entity('bold', 2, 400), entity('bold', -1, 3), entity('bold', 9, 1)])).toBe('short')
  expect(toMarkdown('abcdef', [entity('bold', 0, 4), entity('italic', 2, 4)])).toBe('**abcd**ef')
  const many = Array.from({ length: 20_000 }, () => entity('italic', 0, 6))
  expect(withoutMarks(toMarkdown('abcdef', many))).toBe('abcdef')
})

test('Markdown becomes text with formatting, and back', () => {
  expect(sent('**big** and `x`')).toEqual({ text: 'big and x', entities: [entity('bold', 0, 3), entity('code', 8, 1)] })
  expect(sent('# Title\n\n- one\n- two')).toEqual({ text: 'Title\n\n• one\n• two', entities: [entity('bold', 0, 5)] })
  expect(sent('[shop](https://shop.example/) or mailto').entities).toEqual([
    entity('text_link', 0, 4, { url: 'https://shop.example/' }),
  ])
  expect(sent('> one\n> two')).toEqual({ text: 'one\ntwo', entities: [entity('blockquote', 0, 7)] })
})

const types = ['bold', 'italic', 'strikethrough', 'code', 'pre', 'text_link', 'blockquote', 'mention', 'spoiler', '🤷']
const anyEntity = fc.record({
  type: fc.constantFrom(...types),
  offset: fc.integer({ min: -3, max: 40 }),
  length: fc.integer({ min: -3, max: 40 }),
  url: fc.constantFrom('https://shop.example/x', 'javascript:alert(1)', ''),
})
const anyText = fc
  .array(
    fc.constantFrom('a', 'B', ' ', '\n', '*', '_', '~', '`', '[', ']', '(', '\\', '>', '-', '👋🏽', 'é', '#', '1.'),
    {
      maxLength: 40,
    },
  )
  .map((pieces) => pieces.join(''))

/** What a reader sees, without blanks and the beginnings of lines, which blocks show in their own way. */
const comparableTextOf = (text: string) => text.replaceAll(/[\s\d>#+.)•-]|\(https:\/\/shop\.example\/x\)?/g, '')

test('any text with any entities shows all of its words, and leaves again with all of them', () => {
  fc.assert(
    fc.property(anyText, fc.array(anyEntity, { maxLength: 8 }), (text, entities) => {
      const markdown = toMarkdown(text, entities)
      expect(comparableTextOf(sent(markdown).text)).toBe(comparableTextOf(text))
    }),
    { numRuns: 3_000 },
  )
})

test('parts of a text contain all of it, never half a character, and formatting that lies in them', () => {
  fc.assert(
    fc.property(
      anyText,
      fc.array(anyEntity, { maxLength: 8 }),
      fc.integer({ min: 5, max: 20 }),
      (text, candidates, limit) => {
        const entities = candidates.filter(
          ({ offset, length }) => offset >= 0 && length > 0 && offset + length <= text.length,
        )
        const parts = splitText({ text, entities }, limit)
        expect(
          parts
            .map((part) => part.text)
            .join('')
            .replaceAll(/\s/g, ''),
        ).toBe(text.replaceAll(/\s/g, ''))
        for (const part of parts) {
          expect(part.text.length).toBeLessThanOrEqual(limit)
          expect(part.text.isWellFormed()).toBe(true)
          for (const { offset, length } of part.entities) {
            expect(offset >= 0 && length > 0 && offset + length <= part.text.length).toBe(true)
          }
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

test('a part ends before formatting that would not fit, if there is a blank', () => {
  const text = `${'a '.repeat(40)}${'b'.repeat(8)} tail`
  const [first] = splitText({ text, entities: [entity('bold', 80, 8)] }, 84)
  expect(first).toEqual({ text: 'a '.repeat(40).trim(), entities: [] })
})
