import { expect, test } from 'vitest'
import type { VisitorMessage } from '#contract/conversations/messages.ts'
import { en } from '../appearance/labels.ts'
import { listEntries } from './entries.ts'

const labels = en
const greeting = 'Hi!'
const company = { name: 'Acme', photo: 'https://acme.test/logo.png' }
const unsent = (id: string, refused = false) => ({ id, body: id, sent_at: '2026-01-02T10:05:00Z', refused })

function message(id: string, created_at: string, more: Partial<VisitorMessage> = {}): VisitorMessage {
  const who = { customer_id: 'x', user_id: null, user: null }
  return { id, created_at, body: id, type: 'reply', seen_at: null, ...who, ...more } as VisitorMessage
}

test('the greeting is first, unsent messages are last', () => {
  const entries = listEntries(
    greeting,
    [message('a', '2026-01-02T10:00:00Z')],
    [unsent('b'), unsent('c', true)],
    labels,
    company,
  )
  expect(entries.map(({ id, state }) => [id, state])).toEqual([
    ['greeting', 'greeting'],
    ['a', 'stored'],
    ['b', 'pending'],
    ['c', 'refused'],
  ])
})

test('a message is shown once, even if its event arrives before the response', () => {
  const entries = listEntries(undefined, [message('a', '2026-01-02T10:00:00Z')], [unsent('a')], labels, company)
  expect(entries.map(({ state }) => state)).toEqual(['stored'])
})

test('messages of one author are grouped, unless five minutes are between them', () => {
  const user = { display_name: 'Mai', full_name: null, email: 'mai', profile_photo_url: null } as VisitorMessage['user']
  const entries = listEntries(
    undefined,
    [
      message('a', '2026-01-02T10:00:00Z'),
      message('b', '2026-01-02T10:01:00Z'),
      message('c', '2026-01-02T10:02:00Z', { customer_id: null, user_id: 1, user }),
      message('d', '2026-01-02T10:09:00Z', { customer_id: null, user_id: 1, user }),
    ],
    [],
    labels,
    company,
  )
  expect(entries.map(({ isFirst, isLast }) => [isFirst, isLast])).toEqual([
    [true, false],
    [false, true],
    [true, true],
    [true, true],
  ])
  expect(entries[2]!.name).toBe('Mai')
})

test('a new day is shown above its first message, not above the greeting', () => {
  const days = [message('a', '2026-01-02T10:00:00Z'), message('b', '2026-01-04T10:00:00Z')]
  expect(listEntries(greeting, days, [], labels, company).map(({ startsDay }) => startsDay)).toEqual([
    false,
    true,
    true,
  ])
})

test('bots are shown with the company’s name, and people only if the inbox hides agents', () => {
  const user = { display_name: 'Mai', profile_photo_url: 'https://acme.test/mai.png' } as VisitorMessage['user']
  const byAgent = { customer_id: null, user_id: 1, user }
  const messages = [
    message('a', '2026-01-02T10:00:00Z', { ...byAgent, type: 'bot' }),
    message('b', '2026-01-02T10:00:00Z', byAgent),
  ]
  const senders = (hidesPeople: boolean) =>
    listEntries(undefined, messages, [], labels, { ...company, hidesPeople }).map(({ name, photo }) => ({
      name,
      photo,
    }))
  expect(senders(false)).toEqual([company, { name: 'Mai', photo: 'https://acme.test/mai.png' }])
  expect(senders(true)).toEqual([company, company])
})
