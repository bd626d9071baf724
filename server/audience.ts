import type { Event, HeardEvent } from '#contract/events.ts'
import { forCustomer } from './features/messages/messages.ts'

interface Audience {
  /** What every user of the account hears. */
  team?: HeardEvent
  /** What the customer concerned hears, where they may hear anything, and on which topic. */
  customer?: { customer_id: string; topic: string; heard: HeardEvent }
}

/**
 * Who may hear an event, and in which words: the one place that decides it. A private note never has a customer's
 * side, so no door can leak it, neither live nor when catching up.
 */
export function audience(event: Event): Audience {
  switch (event.type) {
    case 'message:created': {
      const { message, customer_id } = event
      const team: HeardEvent = { event: 'shout', payload: message }
      if (message.private) return { team }
      const topic = `conversation:${message.conversation_id}`
      return { team, customer: { customer_id, topic, heard: { event: 'shout', payload: forCustomer(message) } } }
    }
    case 'messages:seen':
    case 'messages:read': {
      const { type, customer_id, ...payload } = event
      const heard: HeardEvent = { event: type, payload }
      const customer = { customer_id, topic: `conversation:${event.conversation_id}`, heard }
      // The customer's other windows learn that the messages were seen in this one; the team knows what it has read.
      return type === 'messages:seen' ? { team: heard, customer } : { customer }
    }
    case 'conversation:created': {
      const { conversation } = event
      const { id, customer_id } = conversation
      return {
        team: { event: 'conversation:created', payload: { id, conversation } },
        customer: {
          customer_id,
          topic: `conversation:lobby:${customer_id}`,
          heard: { event: 'conversation:created', payload: { id } },
        },
      }
    }
    case 'conversation:tagged':
      return { team: { event: 'conversation:tagged', payload: { id: event.conversation_id, tags: event.tags } } }
    case 'conversation:updated': {
      const { id, customer_id, status, closed_at } = event.conversation
      return {
        team: { event: 'conversation:updated', payload: { id, updates: event.conversation } },
        customer: {
          customer_id,
          topic: `conversation:${id}`,
          heard: { event: 'conversation:status', payload: { id, status, closed_at } },
        },
      }
    }
  }
}
