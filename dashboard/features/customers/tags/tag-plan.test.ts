import { describe, expect, it } from 'vitest'
import type { Tag } from '#contract/conversations/conversations.ts'
import { planTags } from './tag-plan.ts'

const tag = (name: string): Tag => ({
  id: `id of ${name}`,
  object: 'tag',
  name,
  description: null,
  color: 'red',
  created_at: '2026-11-20T08:00:00Z',
  updated_at: '2026-11-20T08:00:00Z',
})
const [bug, refund, vip] = [tag('bug'), tag('Refund'), tag('vip')] as [Tag, Tag, Tag]
const existing = [bug, refund, vip]

describe('Done in the tag editor', () => {
  it('adds the newly chosen tags and removes the unchosen ones', () => {
    expect(planTags(existing, [bug, refund], ['Refund', 'vip'])).toEqual({
      create: [],
      add: [vip.id],
      remove: [bug.id],
    })
  })

  it('creates tags that do not exist, their colours in turn', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const colors = ['magenta', 'red', 'volcano', 'purple', 'blue', 'magenta']
    const create = names.map((name, at) => ({ name, color: colors[at] }))
    expect(planTags(existing, [], ['bug', ...names])).toEqual({ create, add: [bug.id], remove: [] })
  })

  it('does nothing when nothing was chosen otherwise', () => {
    expect(planTags(existing, [bug], ['bug'])).toEqual({ create: [], add: [], remove: [] })
  })

  it('uses the existing tag for a name that differs only in case or spaces', () => {
    expect(planTags(existing, [bug], [' BUG', 'refund', '  '])).toEqual({ create: [], add: [refund.id], remove: [] })
  })

  it('creates a new name once', () => {
    expect(planTags(existing, [], ['new', 'New ']).create).toHaveLength(1)
  })

  it('keeps a tag that somebody else has just put on and created', () => {
    expect(planTags([], [vip], ['vip'])).toEqual({ create: [], add: [], remove: [] })
  })
})
