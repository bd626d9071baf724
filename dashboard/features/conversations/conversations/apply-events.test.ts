import { describe, expect, it } from 'vitest'
import type { UnreadCounts } from '#contract/conversations/conversations.ts'
import { conversation, ME, message } from '../../../testing/samples.ts'
import { appendPage, applyToConversation, applyToCounts, placeInList, pruneList } from './apply-events.ts'
import type { ConversationList, View } from './views.ts'

const all: View = { bucket: 'all' }
const viewer = { user_id: ME }
const at = (hour: number) => `2026-11-20T${String(hour).padStart(2, '0')}:00:00Z`

function list(...conversations: ReturnType<typeof conversation>[]): ConversationList {
  return { conversations, next: null }
}

const ids = (result: ConversationList) => result.conversations.map(({ id }) => id)

describe('one conversation', () => {
  it('shows its newest message and takes its time', () => {
    const received = message({ number: 3, created_at: at(12) })
    const after = applyToConversation(conversation({ last_number: 2 }), { event: 'shout', payload: received })
    expect(after).toMatchObject({ last_number: 3, last_activity_at: at(12), messages: [{ id: 'm3' }] })
  })

  it('is not changed by a message received twice, or by an older one', () => {
    const before = conversation({ messages: [message({ number: 3 })], last_number: 3 })
    for (const number of [2, 3]) {
      expect(applyToConversation(before, { event: 'shout', payload: message({ number }) })).toBe(before)
    }
  })

  it('takes a newer version and ignores one that is not newer', () => {
    const before = conversation({ version: 5, messages: [message()] })
    const update = (version: number) =>
      applyToConversation(before, {
        event: 'conversation:updated',
        payload: { id: 'c1', updates: conversation({ version, status: 'closed', messages: [] }) },
      })
    expect(update(5)).toBe(before)
    expect(update(4)).toBe(before)
    expect(update(6)).toMatchObject({ version: 6, status: 'closed', messages: [{ id: 'm1' }] })
  })

  it('marks its newest message as seen, if that is one of ours and the customer got so far', () => {
    const seen = (up_to_number: number) =>
      applyToConversation(conversation({ messages: [message({ number: 4, user_id: ME })] }), {
        event: 'messages:seen',
        payload: { conversation_id: 'c1', seen_at: at(10), up_to_number },
      }).messages[0]?.seen_at
    expect(seen(4)).toBe(at(10))
    expect(seen(3)).toBeNull()
  })
})

describe('a list of conversations', () => {
  const one = conversation({ id: 'one', last_activity_at: at(11) })
  const two = conversation({ id: 'two', last_activity_at: at(10) })
  const three = conversation({ id: 'three', last_activity_at: at(9) })

  it('is sorted by latest activity', () => {
    const moved = { ...three, version: 2, last_activity_at: at(12) }
    expect(ids(placeInList(list(one, two, three), all, moved, viewer))).toEqual(['three', 'one', 'two'])
  })

  it('adds a new conversation that belongs there', () => {
    const fresh = conversation({ id: 'new', last_activity_at: at(10), version: 1 })
    expect(ids(placeInList(list(one, three), all, fresh, viewer))).toEqual(['one', 'new', 'three'])
  })

  it('does not add a conversation that belongs on a page that is not loaded', () => {
    const old = conversation({ id: 'old', last_activity_at: at(1) })
    const page = { ...list(one, two), next: 'cursor' }
    expect(placeInList(page, all, old, viewer)).toBe(page)
    expect(ids(placeInList(list(one, two), all, old, viewer))).toEqual(['one', 'two', 'old'])
  })

  it('removes conversations that were closed, assigned to others, read or archived', () => {
    const mine = conversation({ id: 'x', assignee_id: ME, read: false, priority: 'priority' })
    const removals: [View, Partial<typeof mine>][] = [
      [{ bucket: 'all' }, { status: 'closed' }],
      [{ bucket: 'me' }, { assignee_id: 8 }],
      [{ bucket: 'unread' }, { read: true }],
      [{ bucket: 'priority' }, { priority: 'not_priority' }],
      [{ bucket: 'all', inbox_id: 'i1' }, { inbox_id: 'i2' }],
      [{ bucket: 'all' }, { archived_at: at(12) }],
    ]
    for (const [view, change] of removals) {
      expect(ids(placeInList(list(mine), view, { ...mine, ...change }, viewer))).toEqual([])
    }
  })

  it('keeps the open conversation until another one is opened', () => {
    const unread = conversation({ id: 'x', read: false })
    const read = { ...unread, read: true, version: 2 }
    const pruned = placeInList(list(unread, one), { bucket: 'unread' }, read, { ...viewer, viewed_id: 'x' })
    expect(ids(pruned)).toEqual(['x', 'one'])
    expect(ids(pruneList(pruned, { bucket: 'unread' }, viewer))).toEqual([])
  })

  it('moves a snoozed conversation into its own view, and back when it wakes', () => {
    const asleep = { ...one, snoozed_at: '2026-11-20T12:00:00Z' }
    expect(ids(placeInList(list(one, two), { bucket: 'all' }, asleep, { user_id: ME }))).toEqual(['two'])
    expect(ids(placeInList(list(), { bucket: 'snoozed' }, asleep, { user_id: ME }))).toEqual(['one'])
    expect(ids(placeInList(list(asleep), { bucket: 'snoozed' }, one, { user_id: ME }))).toEqual([])
    expect(ids(placeInList(list(two), { bucket: 'all' }, one, { user_id: ME })).sort()).toEqual(['one', 'two'])
  })

  it('shows a conversation once when the next page brings it again', () => {
    const next = appendPage(list(one, two), { conversations: [two, three], next: 'more' })
    expect(ids(next)).toEqual(['one', 'two', 'three'])
    expect(next.next).toBe('more')
  })
})

describe('the unread counters', () => {
  const counts: UnreadCounts = {
    conversations: { open: 3, unread: 3, assigned: 1, unassigned: 1, priority: 0, closed: 0, mentioned: 0 },
    inboxes: { i1: 2 },
    totals: {
      conversations: { open: 5, assigned: 2, unassigned: 2, priority: 1, snoozed: 0, closed: 4 },
      inboxes: { i1: 5 },
    },
  }
  const unread = conversation({ read: false })

  it('count a new conversation in each of its buckets', () => {
    const next = applyToCounts(counts, undefined, { ...unread, priority: 'priority' }, ME)
    expect(next).toEqual({
      conversations: { open: 4, unread: 4, assigned: 1, unassigned: 2, priority: 1, closed: 0, mentioned: 0 },
      inboxes: { i1: 3 },
      totals: {
        conversations: { open: 6, assigned: 2, unassigned: 3, priority: 2, snoozed: 0, closed: 4 },
        inboxes: { i1: 6 },
      },
    })
  })

  it('keep the totals when a conversation is read, and change them when it is closed or snoozed', () => {
    const totalsAfter = (changes: object) => applyToCounts(counts, unread, { ...unread, ...changes }, ME).totals
    expect(totalsAfter({ read: true })).toEqual(counts.totals)
    expect(totalsAfter({ status: 'closed', read: true })).toMatchObject({
      conversations: { open: 4, unassigned: 1, closed: 5 },
      inboxes: { i1: 4 },
    })
    expect(totalsAfter({ snoozed_at: '2026-11-20T12:00:00Z' }).conversations).toMatchObject({ open: 4, snoozed: 1 })
  })

  it('go down when a conversation is read', () => {
    const next = applyToCounts(counts, unread, { ...unread, read: true }, ME)
    expect(next.conversations).toMatchObject({ open: 2, unread: 2, unassigned: 0 })
    expect(next.inboxes).toEqual({ i1: 1 })
  })

  it('move from unassigned to assigned when this user takes a conversation, and not for others', () => {
    expect(applyToCounts(counts, unread, { ...unread, assignee_id: ME }, ME).conversations).toMatchObject({
      assigned: 2,
      unassigned: 0,
    })
    expect(applyToCounts(counts, unread, { ...unread, assignee_id: 99 }, ME).conversations).toMatchObject({
      assigned: 1,
      unassigned: 0,
    })
  })

  it('count a closed conversation only while nobody has read it', () => {
    expect(applyToCounts(counts, unread, { ...unread, status: 'closed' }, ME).conversations).toMatchObject({
      open: 2,
      closed: 1,
    })
  })

  it('count a mention of this user although the conversation is read', () => {
    const mentioned = conversation({ unseen_mention_user_ids: [ME] })
    expect(applyToCounts(counts, conversation(), mentioned, ME).conversations.mentioned).toBe(1)
    expect(applyToCounts(counts, conversation(), conversation({ unseen_mention_user_ids: [8] }), ME)).toBe(counts)
  })

  it('forget snoozed conversations', () => {
    const next = applyToCounts(counts, unread, { ...unread, snoozed_at: at(9) }, ME)
    expect(next.conversations.open).toBe(2)
    expect(next.inboxes).toEqual({ i1: 1 })
  })

  it('forget archived conversations', () => {
    expect(applyToCounts(counts, unread, { ...unread, archived_at: at(9) }, ME).conversations.open).toBe(2)
  })

  it('never fall below zero, and start an inbox that was not counted yet', () => {
    const none: UnreadCounts = {
      ...counts,
      conversations: { ...counts.conversations, open: 0, unread: 0 },
      inboxes: {},
    }
    expect(applyToCounts(none, unread, { ...unread, read: true }, ME).conversations.open).toBe(0)
    expect(applyToCounts(none, undefined, { ...unread, inbox_id: 'i9' }, ME).inboxes).toEqual({ i9: 1 })
  })
})
