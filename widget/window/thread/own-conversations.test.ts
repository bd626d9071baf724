import { expect, test } from 'vitest'
import type { VisitorMessage } from '#contract/conversations/messages.ts'
import type { VisitorConversation } from '#contract/conversations/visitor-conversations.ts'
import type { VisitorEvent } from '#contract/visitor-events.ts'
import { applyToOwn, countElsewhere } from './own-conversations.ts'

const row = (id: string, more: Partial<VisitorConversation> = {}) =>
  ({ id, status: 'open', closed_at: null, unseen: 0, last_message: null, rating: null, ...more }) as VisitorConversation
const shout = (number: number, more: Partial<VisitorMessage> = {}): VisitorEvent => ({
  event: 'shout',
  payload: { conversation_id: 'a', number, user_id: 1, seen_at: null, private: false, ...more } as VisitorMessage,
})

test('a message of the team is counted once, however often it is received; the visitor’s own is not', () => {
  const rows = [row('a'), row('b')]
  const received = [shout(1), shout(1), shout(2), shout(3, { user_id: null })].reduce(applyToOwn, rows)
  expect(received.map(({ unseen }) => unseen)).toEqual([2, 0])
  expect(received[0]?.last_message?.number).toBe(3)
  expect(applyToOwn(rows, shout(1, { private: true }))).toBe(rows)
})

test('the newest message shows its edited text', () => {
  const last_message = { id: 'm', body: 'befor' } as VisitorMessage
  const changed = { id: 'm', conversation_id: 'a', body: 'before' } as VisitorMessage
  const rows = applyToOwn([row('a', { last_message })], { event: 'message:updated', payload: changed })
  expect(rows[0]?.last_message?.body).toBe('before')
  expect(applyToOwn(rows, { event: 'message:updated', payload: { ...changed, id: 'other' } })).toBe(rows)
})

test('seeing, closing and rating change their row, and repeated events change nothing', () => {
  const seen = { conversation_id: 'a', seen_at: 'now', up_to_number: 2 }
  const rows = applyToOwn([row('a', { unseen: 2 })], { event: 'messages:seen', payload: seen })
  expect(rows[0]?.unseen).toBe(0)
  expect(applyToOwn(rows, { event: 'messages:seen', payload: seen })).toBe(rows)
  const closed: VisitorEvent = {
    event: 'conversation:status',
    payload: { id: 'a', status: 'closed', closed_at: 'now' },
  }
  const after = applyToOwn(rows, closed)
  expect(after[0]).toMatchObject({ status: 'closed', closed_at: 'now' })
  expect(applyToOwn(after, closed)).toBe(after)
})

test('events that are applied a second time leave newer messages unseen', () => {
  const seen: VisitorEvent = {
    event: 'messages:seen',
    payload: { conversation_id: 'a', seen_at: 'now', up_to_number: 1 },
  }
  const events = [shout(1), seen, shout(2)]
  const rows = events.reduce(applyToOwn, [row('a')])
  expect(events.reduce(applyToOwn, rows)[0]?.unseen).toBe(1)
  // What the visitor wrote after that is no news to them.
  expect([shout(1), shout(2, { user_id: null }), seen].reduce(applyToOwn, [row('a')])[0]?.unseen).toBe(0)
})

test('unseen messages of the open conversation are not counted elsewhere', () => {
  expect(countElsewhere([row('a', { unseen: 2 }), row('b', { unseen: 3 })], 'a')).toBe(3)
})
