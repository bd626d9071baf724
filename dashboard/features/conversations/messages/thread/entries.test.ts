import { describe, expect, it } from 'vitest'
import { ME, message } from '../../../../testing/samples.ts'
import type { Outgoing } from '../sending/outbox.ts'
import { entriesOf } from './entries.ts'
import { hasPrepended } from './useOlderPages.ts'

const at = (day: number, minute: number) => new Date(2026, 10, day, 9, minute).toISOString()
const unsent = (id: string, type: 'reply' | 'note' = 'reply'): Outgoing => ({
  id,
  conversation_id: 'c1',
  user_id: ME,
  body: 'Words',
  type,
  sent_at: at(20, 30),
  last_seen_number: 1,
  state: 'sending',
})

describe('the lines of a thread', () => {
  it('distinguish the customer, oneself, other users and bots', () => {
    const lines = entriesOf(
      [
        message({ number: 1 }),
        message({ number: 2, user_id: ME }),
        message({ number: 3, user_id: 8 }),
        message({ number: 4, user_id: ME, type: 'bot' }),
      ],
      [],
      ME,
    )
    expect(lines.flatMap((line) => (line.type === 'message' ? line.kind : []))).toEqual([
      'customer',
      'own',
      'user',
      'bot',
    ])
  })

  it('name the author anew where somebody else writes in the customer’s conversation', () => {
    const sender = { mail_sender: { address: 'otto@else.test', name: 'Otto' } }
    const lines = entriesOf([message({ number: 1 }), message({ number: 2, metadata: sender })], [], ME)
    expect(lines.flatMap((line) => (line.type === 'message' ? line.isFirst : []))).toEqual([true, true])
  })

  it('begin each day with a separator', () => {
    const lines = entriesOf(
      [message({ number: 1, created_at: at(19, 0) }), message({ number: 2, created_at: at(20, 0) })],
      [],
      ME,
    )
    expect(lines.map(({ type }) => type)).toEqual(['day', 'message', 'day', 'message'])
  })

  it('group messages of one author and time, but never a note with a reply', () => {
    const lines = entriesOf(
      [
        message({ number: 1, user_id: ME, created_at: at(20, 0) }),
        message({ number: 2, user_id: ME, created_at: at(20, 1) }),
        message({ number: 3, user_id: ME, created_at: at(20, 2), private: true, type: 'note' }),
        message({ number: 4, user_id: ME, created_at: at(20, 30), private: true, type: 'note' }),
      ],
      [],
      ME,
    )
    const together = lines.flatMap((line) => (line.type === 'message' ? [[line.isFirst, line.isLast]] : []))
    expect(together).toEqual([
      [true, false],
      [false, true],
      [true, true],
      [true, true],
    ])
  })

  it('do not group messages of different channels, so that each shows its channel', () => {
    const lines = entriesOf(
      [message({ number: 1, created_at: at(20, 0) }), message({ number: 2, created_at: at(20, 1), source: 'email' })],
      [],
      ME,
    )
    expect(lines.map((line) => line.type === 'message' && line.isLast)).toEqual([false, true, true])
  })

  it('mark the first unread message, and group nothing across that mark', () => {
    const lines = entriesOf([message({ number: 1 }), message({ number: 2 })], [], ME, 2)
    expect(lines.map(({ type }) => type)).toEqual(['day', 'message', 'unread', 'message'])
    expect(lines.flatMap((line) => (line.type === 'message' ? [line.isFirst && line.isLast] : []))).toEqual([
      true,
      true,
    ])
  })

  it('mark the end of the unproven messages, also if the last of them was deleted', () => {
    const lines = (numbers: number[]) =>
      entriesOf(
        numbers.map((number) => message({ number })),
        [],
        ME,
        null,
        [],
        2,
      ).map(({ type }) => type)
    expect(lines([1, 2, 3])).toEqual(['day', 'message', 'message', 'unproven', 'message'])
    expect(lines([1, 3])).toEqual(['day', 'message', 'unproven', 'message'])
    expect(lines([3, 4])).toEqual(['day', 'message', 'message'])
  })

  it('show a sent message once, whether its response or its event arrives first', () => {
    const stored = message({ number: 1, id: 'same', user_id: ME })
    expect(entriesOf([stored], [unsent('same')], ME).map(({ key }) => key)).toEqual([
      `day:${new Date(stored.created_at).setHours(0, 0, 0, 0)}`,
      'same',
    ])
  })

  it('end with the unsent messages', () => {
    const keys = entriesOf([message()], [unsent('a'), unsent('b', 'note')], ME).map(({ key }) => key)
    expect(keys.slice(-2)).toEqual(['a', 'b'])
  })
})

describe('an older page', () => {
  const lines = (...numbers: number[]) =>
    entriesOf(
      numbers.map((number) => message({ number })),
      [],
      ME,
    )

  it('is recognized when it is inserted above', () => {
    expect(hasPrepended(lines(3, 4), lines(1, 2, 3, 4))).toBe(true)
    expect(hasPrepended(lines(3, 4), lines(3, 4, 5))).toBe(false)
    expect(hasPrepended(lines(3, 4), lines(3, 4))).toBe(false)
    expect(hasPrepended([], lines(3, 4))).toBe(false)
  })

  it('are shown among the customer’s page visits', () => {
    const visit = (minute: string) => ({
      url: `https://acme.test/${minute}`,
      created_at: `2026-11-20T09:${minute}:00Z`,
    })
    const messages = [message({ number: 1 }), message({ number: 2, created_at: '2026-11-20T09:10:00Z' })]
    const lines = entriesOf(messages, [], ME, null, [visit('05'), visit('15')])
    expect(lines.map(({ type }) => type)).toEqual(['day', 'message', 'visit', 'message', 'visit'])
  })

  it('show the day of page visits and of messages that are being sent', () => {
    const visits = [21, 22].map((day) => ({ url: 'https://acme.test/', created_at: at(day, 0) }))
    const messages = [message({ number: 1, created_at: at(20, 0) }), message({ number: 2, created_at: at(22, 5) })]
    const lines = entriesOf(messages, [{ ...unsent('a'), sent_at: at(23, 0) }], ME, null, visits)
    expect(lines.map(({ type }) => type).join(' ')).toBe('day message day visit day visit message day outgoing')
  })
})
