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
const original = conversation({ id: 'c1', tags: [tag('vip')] })

describe('a conversation', () => {
  it('shows the new name of its customer', () => {
    const payload = { ...original.customer, name: 'Carlotta' }
    expect(applyToConversation(original, { event: 'customer:updated', payload }).customer.name).toBe('Carlotta')
    const other: ClientEvent = { event: 'customer:updated', payload: { ...payload, id: 'somebody else' } }
    expect(applyToConversation(original, other)).toBe(original)
  })

  it('belongs to the survivor when its customer is merged', () => {
    const customer = { ...original.customer, id: 'survivor', name: 'Survivor' }
    const payload = { customer, conversation_ids: ['c1'], from_customer_id: original.customer_id }
    expect(applyToConversation(original, { event: 'conversations:moved', payload })).toMatchObject({
      customer_id: 'survivor',
      customer: { name: 'Survivor' },
    })
  })

  it('shows the current names of its tags, and no deleted ones', () => {
    expect(applyToConversation(original, { event: 'tag:updated', payload: tag('VIP') }).tags).toEqual([tag('VIP')])
    expect(applyToConversation(original, { event: 'tag:deleted', payload: { id: 'vip' } }).tags).toEqual([])
    expect(applyToConversation(original, { event: 'tag:deleted', payload: { id: 'x' } })).toBe(original)
  })
})
