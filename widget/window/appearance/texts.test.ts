import { expect, test } from 'vitest'
import { changePresent } from '../realtime/presence.ts'
import { fill } from './labels.ts'
import { findTitle } from './title.ts'
import { chooseLanguage, loadTranslation } from './translation.ts'

test('the first supported language is used, Arabic from right to left', async () => {
  expect(chooseLanguage([undefined, 'vi-VN', 'en'])).toBe('vi')
  expect(chooseLanguage(['xx', null])).toBe('en')
  expect(chooseLanguage(['ar-EG'])).toBe('ar')
  expect(await loadTranslation('ar')).toMatchObject({
    language: 'ar',
    labels: { direction: 'rtl', send: 'إرسال الرسالة' },
  })
  expect(await loadTranslation('en')).toMatchObject({
    language: 'en',
    labels: { direction: 'ltr', send: 'Send message' },
  })
  expect(await loadTranslation('xx')).toMatchObject({ language: 'en' })
  expect(fill('{{name}} is typing', { name: 'Mai' })).toBe('Mai is typing')
})

test('an agent with two windows is online until the last one is closed', () => {
  const meta = { metas: [{ user_id: 1 }] }
  const twice = [meta, meta].reduce(
    (presence, joined) => changePresent(presence, { joins: { 'user:1': joined }, leaves: {} }),
    {},
  )
  const once = changePresent(twice, { joins: {}, leaves: { 'user:1': meta } })
  expect(Object.keys(once)).toEqual(['user:1'])
  expect(changePresent(once, { joins: {}, leaves: { 'user:1': meta } })).toEqual({})
})

test('a default title is shown in the window’s language, also if it was saved', async () => {
  const { labels } = await loadTranslation('ar')
  expect(findTitle({ title: 'Welcome!' }, labels)).toBe('مرحبًا!')
  expect(findTitle({ companyName: 'Acme' }, labels)).toBe('مرحبًا بك في \u2068Acme\u2069')
  expect(findTitle({ title: 'Welcome to our shop', companyName: 'Acme' }, labels)).toBe('Welcome to our shop')
  const english = (await loadTranslation('en')).labels
  expect(findTitle({ title: 'Welcome!', companyName: 'Acme' }, english)).toBe('Welcome!')
})

test('names are kept together in texts of the other writing direction', async () => {
  const { labels } = await loadTranslation('ar')
  expect(fill(labels.typing, { name: 'Ada!' })).toContain('\u2068Ada!\u2069')
  expect(fill('{{name}} is typing…', { name: 'עדה' })).toBe('\u2068עדה\u2069 is typing…')
  expect(fill('{{name}} is typing…', { name: 'Ada' })).toBe('Ada is typing…')
})
