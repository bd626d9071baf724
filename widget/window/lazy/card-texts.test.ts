import { expect, test } from 'vitest'
import type { VisitorMessage } from '#contract/conversations/messages.ts'
import { en } from '../appearance/labels.ts'
import { FIRST_STATE } from '../state.ts'
import { EMPTY_THREAD } from '../thread/thread.ts'
import { findCardAuthor, listCardTexts } from './card-texts.ts'

const message = (body: string, more: Partial<VisitorMessage> = {}) =>
  ({ id: body, body, type: 'reply', user_id: 1, seen_at: null, attachments: [], ...more }) as unknown as VisitorMessage
const texts = (...messages: VisitorMessage[]) =>
  listCardTexts({ ...FIRST_STATE, card: 'unseen', thread: { ...EMPTY_THREAD, messages } })

test('the card shows at most two unseen messages, and one if it is long', () => {
  expect(texts(message('one'), message('two'), message('three'))).toEqual(['one', 'two'])
  const long = 'word '.repeat(22).trim()
  expect(texts(message(long), message('two'))).toEqual([long])
})

test('long texts are cut at the end of a word', () => {
  const [text] = texts(message('somewhat '.repeat(40)))
  expect(text).toMatch(/somewhat\.\.\.$/)
  expect(text!.length).toBeLessThanOrEqual(143)
})

test('seen messages and bots are skipped; a file without text shows its name', () => {
  const file = { filename: 'label.pdf' } as VisitorMessage['attachments'][0]
  expect(texts(message('bot', { type: 'bot' }), message('seen', { seen_at: 'then' }))).toEqual([])
  expect(texts(message('', { attachments: [file] }))).toEqual(['label.pdf'])
})

test('with nothing unseen the greeting can be shown; the away message while the company is closed and nobody is there', () => {
  const appearance = { greeting: 'Hello!', awayMessage: 'We sleep.' }
  const cardTexts = (more: object, agentsOnline: number | null = null) =>
    listCardTexts({ ...FIRST_STATE, card: 'greeting', appearance: { ...appearance, ...more }, agentsOnline })
  expect(cardTexts({})).toEqual(['Hello!'])
  expect(cardTexts({ isOutsideWorkingHours: true }, 0)).toEqual(['We sleep.'])
  expect(cardTexts({ isOutsideWorkingHours: true }), 'not known yet').toEqual(['Hello!'])
  expect(cardTexts({ isOutsideWorkingHours: true, greeting: undefined })).toEqual(['We sleep.'])
  expect(cardTexts({ isOutsideWorkingHours: true, awayMessage: undefined })).toEqual(['Hello!'])
  expect(cardTexts({ isOutsideWorkingHours: true }, 1)).toEqual(['Hello!'])
  expect(cardTexts({ greeting: undefined })).toEqual([])
})

test('the card shows the author, or the company if agents are not shown', () => {
  const user = { display_name: 'Ada', profile_photo_url: '/ada.png' } as VisitorMessage['user']
  const state = {
    ...FIRST_STATE,
    card: 'unseen' as const,
    thread: { ...EMPTY_THREAD, messages: [message('one', { user })] },
    appearance: { companyName: 'Acme', logo: '/acme.png' },
  }
  expect(findCardAuthor(state, en)).toEqual({ name: 'Ada', photo: '/ada.png' })
  const company = { name: 'Acme', photo: '/acme.png' }
  expect(findCardAuthor({ ...state, appearance: { ...state.appearance, useCompanyProfileOnly: true } }, en)).toEqual(
    company,
  )
  expect(findCardAuthor({ ...state, card: 'greeting' }, en)).toEqual(company)
})
