import { describe, expect, it } from 'vitest'
import type { ClientEvent } from '#contract/events.ts'
import { conversation } from '../../../testing/samples.ts'
import { applyToConversation } from './apply-events.ts'

const tag = (name: string) => ({
  id: 'vip',
  object: 'tag' as const,
  name,
  description: null,
  color: null,
  created_at: '2026-11-20T08:00:00Z',
  updated_at: '2026-11-20T08:00:00Z',
})
const one = conversation({ id: 'c1', tags: [tag('vip')] })

describe('a conversation', () => {
  it('shows the new name of its customer', () => {
    const payload = { ...one.customer, name: 'Carlotta' }
    expect(applyToConversation(one, { event: 'customer:updated', payload }).customer.name).toBe('Carlotta')
    const other: ClientEvent = { event: 'customer:updated', payload: { ...payload, id: 'somebody else' } }
    expect(applyToConversation(one, other)).toBe(one)
  })

  it('belongs to the survivor when its customer is merged', () => {
    const customer = { ...one.customer, id: 'survivor', name: 'Survivor' }
    const payload = { customer, conversation_ids: ['c1'], from_customer_id: one.customer_id }
    expect(applyToConversation(one, { event: 'conversations:moved', payload })).toMatchObject({
      customer_id: 'survivor',
      customer: { name: 'Survivor' },
    })
  })

  it('shows the current names of its tags, and no deleted ones', () => {
    expect(applyToConversation(one, { event: 'tag:updated', payload: tag('VIP') }).tags).toEqual([tag('VIP')])
    expect(applyToConversation(one, { event: 'tag:deleted', payload: { id: 'vip' } }).tags).toEqual([])
    expect(applyToConversation(one, { event: 'tag:deleted', payload: { id: 'x' } })).toBe(one)
  })
})
