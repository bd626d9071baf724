import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { VisitorMessage } from '#contract/conversations/messages.ts'
import type { VisitorEvent } from '#contract/visitor-events.ts'
import { applyEvent, EMPTY_THREAD, listUnseen, loadThread, markSeen, mergeMessages, type Thread } from './thread.ts'

function message(number: number, more: Partial<VisitorMessage> = {}): VisitorMessage {
  return {
    id: `m${number}`,
    object: 'message',
    account_id: 'a',
    conversation_id: 'c',
    number,
    body: `text ${number}`,
    type: 'reply',
    content_type: 'text',
    private: false,
    source: 'chat',
    created_at: '2026-01-01T00:00:00Z',
    sent_at: null,
    seen_at: null,
    customer_id: null,
    user_id: 1,
    metadata: null,
    template: null,
    email_subject: null,
    email_html: null,
    edited_at: null,
    user: null,
    attachments: [],
    ...more,
  }
}
const shout = (payload: VisitorMessage): VisitorEvent => ({ event: 'shout', payload })
const open: Thread = { ...EMPTY_THREAD, conversation_id: 'c' }
const numbers = (thread: Thread) => thread.messages.map(({ number }) => number)

test('messages are in the order of their numbers, however often and in whatever order they are received', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 30 })), (received) => {
      const thread = received.map((number) => shout(message(number))).reduce(applyEvent, open)
      expect(numbers(thread)).toEqual([...new Set(received)].sort((a, b) => a - b))
    }),
    { seed: 20_261_121 },
  )
})

test('a private note or a message of another conversation is never shown', () => {
  expect(applyEvent(open, shout(message(1, { private: true })))).toBe(open)
  expect(applyEvent(open, shout(message(1, { conversation_id: 'other' })))).toBe(open)
})

test('being seen up to a number marks the team’s messages up to it, and a repeated event changes nothing', () => {
  const thread = { ...open, messages: [message(1), message(2, { user_id: null, customer_id: 'x' }), message(3)] }
  const seen: VisitorEvent = {
    event: 'messages:seen',
    payload: { conversation_id: 'c', seen_at: '2026-01-02T00:00:00Z', up_to_number: 2 },
  }
  const once = applyEvent(thread, seen)
  expect(once.messages.map(({ seen_at }) => seen_at)).toEqual(['2026-01-02T00:00:00Z', null, null])
  expect(applyEvent(once, seen)).toBe(once)
  expect(listUnseen(once).map(({ number }) => number)).toEqual([3])
})

test('a message that was seen here does not become unseen when an older copy is received', () => {
  const seen = markSeen({ ...open, messages: [message(1)] }, '2026-01-02T00:00:00Z')
  expect(mergeMessages(seen.messages, [message(1)])[0]!.seen_at).toBe('2026-01-02T00:00:00Z')
})

test('closing and reopening by the team is shown', () => {
  const status = (id: string, next: 'open' | 'closed'): VisitorEvent => ({
    event: 'conversation:status',
    payload: { id, status: next, closed_at: null },
  })
  expect(applyEvent(open, status('c', 'closed')).status).toBe('closed')
  expect(applyEvent(open, status('other', 'closed'))).toBe(open)
})

test('reloading leaves no gap, and applies what arrived while it was loading', () => {
  const loaded = { ...open, messages: [message(8), message(7), message(6)] }
  const seen: VisitorEvent = {
    event: 'messages:seen',
    payload: { conversation_id: 'c', seen_at: '2026-01-02T00:00:00Z', up_to_number: 8 },
  }
  const thread = loadThread(loaded, 3, [seen, shout(message(8)), shout(message(9))])
  expect(numbers(thread)).toEqual([6, 7, 8, 9])
  expect(listUnseen(thread).map(({ number }) => number)).toEqual([9])
  expect(thread.hasOlder).toBe(true)
  expect(loadThread(loaded, 50, []).hasOlder).toBe(false)
})

test('a deleted message stays deleted, whatever arrives late', () => {
  const deleted: VisitorEvent = { event: 'message:deleted', payload: { id: 'm2', conversation_id: 'c', number: 2 } }
  const before = { ...open, messages: [message(1), message(2), message(3)] }
  const after = applyEvent(before, deleted)
  expect(numbers(after)).toEqual([1, 3])
  expect(applyEvent(after, deleted)).toBe(after)
  expect(numbers(applyEvent(after, shout(message(2))))).toEqual([1, 3])
  expect(numbers(loadThread({ ...after, messages: [message(2), message(3)] }, 50, []))).toEqual([3])
})

test('an edited message shows its last text, in whatever order edits are received', () => {
  const changed = (body: string, edited_at: string): VisitorEvent => ({
    event: 'message:updated',
    payload: message(1, { body, edited_at }),
  })
  const [first, second] = [changed('first', '2026-01-02T00:00:00Z'), changed('second', '2026-01-03T00:00:00Z')]
  const before = markSeen({ ...open, messages: [message(1)] }, '2026-01-01T01:00:00Z')
  for (const order of [
    [first, second],
    [second, first],
  ]) {
    const [edited] = order.reduce(applyEvent, before).messages
    expect(edited).toMatchObject({ body: 'second', seen_at: '2026-01-01T01:00:00Z' })
  }
  expect(applyEvent(open, first)).toBe(open)
})
