import { expect, test } from 'vitest'
import { plainText, previewOf, withoutMarks } from './plain.ts'

const team = { customer_id: null }
const customer = { customer_id: 'c' }

test('formatting characters are removed, and nothing else', () => {
  expect(withoutMarks('Yes! **Three** are ~~gone~~ `left`')).toBe('Yes! Three are gone left')
  expect(withoutMarks('# Delivery\n> tomorrow')).toBe('Delivery\ntomorrow')
  for (const text of [
    '2 ** 3 ** 4',
    'snake__case',
    'a > b',
    '#1',
    '**',
    'it`s',
    'python __init__.py',
    'self.__dict__',
    'x**2 + y**2',
    'one\ntwo\n\nthree',
    '- a\n- b\n  1. c',
    'key:\n    indented  twice',
    'see https://shop.example/@ada_ now',
  ])
    expect(withoutMarks(text)).toBe(text)
})

test('code stays as it is, without its fence', () => {
  expect(withoutMarks('So:\n```py\nif __name__:\n    **x**\n```\nDone')).toBe('So:\nif __name__:\n    **x**\nDone')
})

test('the URL of a link is kept next to its text', () => {
  expect(withoutMarks('See [the **shop**](https://shop.test/a) **now**')).toBe('See the shop (https://shop.test/a) now')
  expect(withoutMarks('[shop.test](https://shop.test) [a](mailto:b@c.test)')).toBe('shop.test a (b@c.test)')
  expect(withoutMarks('[a](https://shop.test/a)')).toBe('a (https://shop.test/a)')
})

test('what a customer typed stays as it is, except from Slack', () => {
  const body = '**C:\\Users\\_me** ¯\\_(ツ)_/¯ [a](https://shop.test)'
  expect(plainText({ ...customer, body })).toBe(body)
  expect(plainText({ ...customer, source: 'slack', body: '**red**' })).toBe('red')
  expect(plainText({ ...team, body: '**red**' })).toBe('red')
  expect(plainText({ ...team, body: null })).toBe('')
})

test('the preview of a message is its beginning, up to a whole character', () => {
  expect(previewOf({ ...team, body: `**Hello** ${'x'.repeat(10_000)}` })).toMatch(/^Hello x{294}…$/)
  const family = '👩‍👩‍👧‍👦'
  expect(previewOf({ ...customer, body: family.repeat(1_000) })).toMatch(new RegExp(`^(${family})+…$`))
  expect(previewOf({ ...customer, body: '**a**' })).toBe('**a**')
})
