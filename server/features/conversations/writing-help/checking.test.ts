import { expect, test } from 'vitest'
import { readSentences, removeUnfounded } from './checking.ts'

const KNOWN = 'A lamp costs €1,200.50 or 80 EUR. See https://acme.test/lamps. Write to help@acme.test. Shipping: 5,00 €'

test.each([
  'It costs 1.200,50 €.',
  'Shipping is €5.',
  'Only 80 euros!',
  'See https://acme.test/lamps, or https://acme.test/lamps/.',
  'Write to Help@acme.test.',
  'You have 30 days, until 12.12.2026, for 3 lamps.',
])('what the material says stays: %s', (text) => {
  expect(removeUnfounded(text, KNOWN)).toEqual({ text, removed: [] })
})

test.each([
  ['It costs 1,200.51 €.', ['1,200.51 €'], 'It costs […].'],
  ['We give you $50 back.', ['$50'], 'We give you […] back.'],
  ['See https://acme.test/lamp.', ['https://acme.test/lamp'], 'See […].'],
  ['Pay at www.evil.test/pay!', ['www.evil.test/pay'], 'Pay at […]!'],
  ['Write to boss@acme.test', ['boss@acme.test'], 'Write to […]'],
])('what no source says is removed and named: %s', (text, removed, remaining) => {
  expect(removeUnfounded(text, KNOWN)).toEqual({ text: remaining, removed })
})

test('sentences know their sources, and the text has no numbers of sources', () => {
  expect(
    readSentences('You may return it. [1] We pay the parcel [2, 1].\n\nWill Dr. Kim call you? Bye [7].', 2),
  ).toEqual({
    text: 'You may return it. We pay the parcel.\n\nWill Dr. Kim call you? Bye.',
    sentences: [
      { text: 'You may return it.', sources: [1] },
      { text: 'We pay the parcel.', sources: [2, 1] },
      { text: expect.stringContaining('Dr.'), sources: [] },
      { text: expect.stringContaining('Kim call you?'), sources: [] },
      { text: 'Bye.', sources: [] },
    ],
  })
})
