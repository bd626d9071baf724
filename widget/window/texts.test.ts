import { expect, test } from 'vitest'
import { findLinks } from './links.ts'
import { changePresent } from './presence.ts'
import { chooseSpeech, fill } from './words.ts'

const links = (text: string) => findLinks(text).flatMap(({ text: shown, href }) => (href ? [[shown, href]] : []))

test('web addresses become links, without the sentence’s own punctuation', () => {
  expect(links('See https://a.test/x, or (www.b.test).')).toEqual([
    ['https://a.test/x', 'https://a.test/x'],
    ['www.b.test', 'https://www.b.test'],
  ])
  expect(links('https://a.test/gold_(rims).')).toEqual([['https://a.test/gold_(rims)', 'https://a.test/gold_(rims)']])
})

test('nothing but http and https becomes a link, and no text gets lost', () => {
  for (const text of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc', 'mail me@a.test', 'plain']) {
    expect(links(text), text).toEqual([])
  }
  const text = 'a https://a.test b www.c.test\n\nd'
  expect(
    findLinks(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text)
})

test('the first wished language that is spoken here is taken, Arabic from right to left', () => {
  expect(chooseSpeech([undefined, 'vi-VN', 'en']).language).toBe('vi')
  expect(chooseSpeech(['xx', 'ar'])).toMatchObject({ language: 'ar', direction: 'rtl' })
  expect(chooseSpeech(['xx', null])).toMatchObject({ language: 'en', direction: 'ltr' })
  expect(fill('{name} is typing', { name: 'Mai' })).toBe('Mai is typing')
})

test('an agent with two windows leaves with the last one', () => {
  const meta = { metas: [{ user_id: 1 }] }
  const twice = [meta, meta].reduce(
    (present, one) => changePresent(present, { joins: { 'user:1': one }, leaves: {} }),
    {},
  )
  const once = changePresent(twice, { joins: {}, leaves: { 'user:1': meta } })
  expect(Object.keys(once)).toEqual(['user:1'])
  expect(changePresent(once, { joins: {}, leaves: { 'user:1': meta } })).toEqual({})
})
