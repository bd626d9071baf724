import { describe, expect, it } from 'vitest'
import type { ClientEvent } from '#contract/events.ts'
import { ME, message } from '../../../testing/samples.ts'
import {
  applyToThread,
  firstUnread,
  joinOlder,
  leavesGap,
  mayBeginEarlier,
  type Thread,
  withMessages,
  withNewerPage,
  withOlderPage,
} from './apply-events.ts'

const thread = (...numbers: number[]): Thread => ({
  messages: numbers.map((number) => message({ number })),
  next: null,
  previous: null,
})
const shout = (number: number): ClientEvent => ({ event: 'shout', payload: message({ number }) })
const numbers = ({ messages }: Thread) => messages.map(({ number }) => number)

describe('a thread', () => {
  it('shows messages by their number, in whatever order they are received', () => {
    expect(numbers([shout(4), shout(3)].reduce(applyToThread, thread(1, 2)))).toEqual([1, 2, 3, 4])
  })

  it('removes deleted messages and shows edited ones', () => {
    const deleted = { id: 'm2', conversation_id: 'c1', number: 2 }
    const changed = message({ number: 1, body: 'Better', edited_at: '2026-11-20T10:00:00Z' })
    const late = message({ number: 1, body: 'Worse', edited_at: '2026-11-20T09:30:00Z' })
    const after = [
      { event: 'message:deleted' as const, payload: deleted },
      { event: 'message:updated' as const, payload: changed },
      { event: 'message:updated' as const, payload: late },
    ].reduce(applyToThread, thread(1, 2, 3))
    expect(after.messages.map(({ body }) => body)).toEqual(['Better', 'Message 3'])
  })

  it('shows a message once, however often it is received', () => {
    const before = thread(1, 2)
    expect(applyToThread(before, shout(2))).toBe(before)
  })

  it('ignores a message that belongs to older pages', () => {
    const before = { ...thread(10, 11), next: 10 }
    expect(applyToThread(before, shout(4))).toBe(before)
  })

  it('marks the messages of the team as seen up to where the customer has read, and no private note', () => {
    const before: Thread = {
      next: null,
      previous: null,
      messages: [
        message({ number: 1 }),
        message({ number: 2, user_id: ME }),
        message({ number: 3, user_id: ME, private: true, type: 'note' }),
        message({ number: 4, user_id: ME }),
      ],
    }
    const payload = { conversation_id: 'c1', seen_at: '2026-11-20T10:00:00Z', up_to_number: 3 }
    const after = applyToThread(before, { event: 'messages:seen', payload })
    expect(after.messages.map(({ seen_at }) => !!seen_at)).toEqual([false, true, false, false])
    expect(applyToThread(after, { event: 'messages:seen', payload })).toBe(after)
  })

  it('adds older pages on top', () => {
    const page = { data: [message({ number: 2 }), message({ number: 1 })], next: null }
    expect(numbers(withOlderPage({ ...thread(3, 4), next: 3 }, page))).toEqual([1, 2, 3, 4])
  })

  it('keeps older pages if they adjoin the newest page, and drops them behind a gap', () => {
    const loaded = { ...thread(1, 2, 3), next: 1 }
    expect(numbers(joinOlder(loaded, { ...thread(3, 4), next: 3 }))).toEqual([1, 2, 3, 4])
    expect(joinOlder(loaded, { ...thread(3, 4), next: 3 }).next).toBe(1)
    expect(numbers(joinOlder(loaded, { ...thread(7, 8), next: 7 }))).toEqual([7, 8])
    // Otherwise messages deleted meanwhile would stay on screen.
    expect(numbers(joinOlder({ ...loaded, isOutdated: true }, { ...thread(3, 4), next: 3 }))).toEqual([3, 4])
  })

  it('notices a gap before a message that arrived too early', () => {
    expect(leavesGap(thread(1, 2), message({ number: 4 }))).toBe(true)
    expect(leavesGap(thread(1, 2), message({ number: 3 }))).toBe(false)
    expect(leavesGap(thread(), message({ number: 3 }))).toBe(false)
  })

  it('ignores new messages while it shows an older part', () => {
    const before = { ...thread(10, 11), next: 10, previous: 11 }
    expect(applyToThread(before, shout(12))).toBe(before)
    expect(leavesGap(before, message({ number: 40 }))).toBe(false)
    const joined = withNewerPage(before, { data: [message({ number: 12 })], previous: null })
    expect(numbers(applyToThread(joined, shout(13)))).toEqual([10, 11, 12, 13])
  })

  it('knows the first unread message, and whether it may be on an older page', () => {
    const seen_at = '2026-11-20T10:00:00Z'
    const all: Thread = { ...thread(5, 6), next: 5 }
    expect([firstUnread(all), mayBeginEarlier(all)]).toEqual([5, true])
    const partlySeen: Thread = { ...all, messages: [message({ number: 5, seen_at }), message({ number: 6 })] }
    expect([firstUnread(partlySeen), mayBeginEarlier(partlySeen)]).toEqual([6, false])
    const answered = [
      message({ number: 5 }),
      message({ number: 6, user_id: ME, customer_id: null }),
      message({ number: 7 }),
    ]
    const after: Thread = { ...all, messages: answered }
    expect([firstUnread(after), mayBeginEarlier(after)]).toEqual([7, false])
    expect(firstUnread({ ...all, messages: [message({ number: 5, user_id: ME, customer_id: null })] })).toBeUndefined()
  })

  it('merges messages that were missed', () => {
    expect(numbers(withMessages(thread(1), [message({ number: 3 }), message({ number: 2 })]))).toEqual([1, 2, 3])
  })
})
