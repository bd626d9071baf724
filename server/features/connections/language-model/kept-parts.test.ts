import { expect, test } from 'vitest'
import { lengthWithoutBrokenMark, markParts, putBack, restoreParts } from './kept-parts.ts'

test.each([
  ['a link', 'See https://acme.test/lamps?x=1.', 'https://acme.test/lamps?x=1'],
  ['a mail address', 'Write to help@acme.test!', 'help@acme.test'],
  ['a code', 'Your order AB-1234 left.', 'AB-1234'],
  ['a long number', 'Call +49 30 123456 today.', '+49 30 123456'],
  ['a date', 'It comes on 12.03.2026.', '12.03.2026'],
  ['a number sign', 'As in #42.', '#42'],
  ['inline code', 'Type `npm start` there.', '`npm start`'],
  ['a variable', 'Hello {{ customer.name }}!', '{{ customer.name }}'],
  ['a password', 'The password: hunter2', 'hunter2'],
  ['a card number', 'It is 4111 1111 1111 1111.', '4111 1111 1111 1111'],
  ['what looks like a mark', 'We wrote [[7]] there.', '[[7]]'],
])('a model is not given %s, and it is put back', (_, text, part) => {
  const marked = markParts(text)
  expect(marked.text).not.toContain(part === '[[7]]' ? '[[7' : part)
  expect(restoreParts(marked, marked.text)).toEqual({ text, lostParts: [], added: [], lostNumbers: [] })
})

test('what a model has left out, invented or repeated is named', () => {
  const marked = markParts('See https://acme.test/a and AB-1234, 30 days, 1,200.50 euros')
  expect(restoreParts(marked, 'Siehe [[1]], dreißig Tage, 1.200,50 Euro')).toEqual({
    text: 'Siehe https://acme.test/a, dreißig Tage, 1.200,50 Euro',
    lostParts: ['AB-1234'],
    added: [],
    lostNumbers: ['30'],
  })
  expect(restoreParts(marked, '[[1]] [[2]] [[2]] [[9]] https://evil.test 30 1200.50').added).toEqual([
    '[[2]]',
    '[[9]]',
    'https://evil.test',
  ])
})

test('several texts have marks of their own, and parts within parts come back', () => {
  const one = markParts('AB-1234')
  const other = markParts('Type `see https://acme.test`', 1 + one.parts.size)
  expect([one.text, other.text]).toEqual(['[[1]]', 'Type [[3]]'])
  expect(restoreParts(other, 'Tippen Sie [[3]]').text).toBe('Tippen Sie `see https://acme.test`')
})

test('while a text arrives, a mark is put back once it is complete', () => {
  const { parts } = markParts('AB-1234')
  const shown = ['Die ', '[', '[1', ']', '] kam'].map((_, at, all) => {
    const text = all.slice(0, at + 1).join('')
    return putBack(text.slice(0, lengthWithoutBrokenMark(text)), parts)
  })
  expect(shown).toEqual(['Die ', 'Die ', 'Die ', 'Die ', 'Die AB-1234 kam'])
})
