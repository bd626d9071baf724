import type { Event, HeardEvent } from '#contract/events.ts'
import { forCustomer } from './features/messages/for-customer.ts'

interface Audience {
  /** What every user of the account hears. */
  team?: HeardEvent
  /** What the customer concerned hears, where they may hear anything, and on which topic. */
  customer?: { customer_id: string; topic: string; heard: HeardEvent }
  /** Narrower topics of the team, for clients that listen to one customer only. */
  lobbies?: { topic: string; event: string; payload: object }[]
  /** Sockets that rest on the rights of these customers, or of any if null, are asked again whether they may be there. */
  access?: { customer_ids: string[] | null }
}

/**
 * Who may hear an event, and in which words: the one place that decides it. A private note never has a customer's
 * side, so no door can leak it, neither live nor when catching up.
 */
export function audience(event: Event): Audience {
  switch (event.type) {
    case 'message:created':
    case 'message:updated': {
      const { type, message, customer_id, company } = event
      const name = type === 'message:created' ? 'shout' : type
      const team: HeardEvent = { event: name, payload: message }
      if (message.private) return { team }
      const topic = `conversation:${message.conversation_id}`
      return { team, customer: { customer_id, topic, heard: { event: name, payload: forCustomer(message, company) } } }
    }
    case 'message:deleted': {
      const { type, message_id: id, conversation_id, number, customer_id } = event
      const heard: HeardEvent = { event: type, payload: { id, conversation_id, number } }
      if (event.private) return { team: heard }
      return { team: heard, customer: { customer_id, topic: `conversation:${conversation_id}`, heard } }
    }
    case 'messages:seen':
    case 'messages:read': {
      const { type, customer_id, ...payload } = event
      const heard: HeardEvent = { event: type, payload }
      const customer = { customer_id, topic: `conversation:${event.conversation_id}`, heard }
      // Either side has other windows, which learn that the messages were seen in this one.
      return { team: heard, customer }
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
    case 'conversation:rated': {
      const { type, rating, customer_id } = event
      const heard: HeardEvent = { event: type, payload: rating }
      // The customer's other windows show it, too.
      const topic = `conversation:${rating.conversation_id}`
      return { team: heard, customer: { customer_id, topic, heard } }
    }
    case 'conversation:tagged':
      return { team: { event: 'conversation:tagged', payload: { id: event.conversation_id, tags: event.tags } } }
    case 'access:changed':
      return { access: { customer_ids: event.customer_id === null ? null : [event.customer_id] } }
    case 'customer:updated':
      return { team: { event: event.type, payload: event.customer } }
    case 'customer:deleted':
      return {
        team: { event: event.type, payload: { id: event.customer_id } },
        access: { customer_ids: [event.customer_id] },
      }
    case 'customer:tagged':
      return { team: { event: event.type, payload: { id: event.customer_id, tags: event.tags } } }
    case 'conversations:moved': {
      const { type, ...payload } = event
      const customer_ids = [event.customer.id, event.from_customer_id]
      return { team: { event: type, payload }, access: { customer_ids } }
    }
    case 'customer_filter:updated':
      return { team: { event: event.type, payload: event.customer_filter } }
    case 'customer_filter:deleted':
      return { team: { event: event.type, payload: { id: event.filter_id } } }
    case 'customer_import:updated':
      return { team: { event: event.type, payload: event.progress } }
    case 'company:updated':
      return { team: { event: event.type, payload: event.company } }
    case 'company:deleted':
      return { team: { event: event.type, payload: { id: event.company_id } } }
    case 'account:updated':
      return { team: { event: event.type, payload: event.account } }
    case 'inbox:updated':
      return { team: { event: event.type, payload: event.inbox } }
    case 'inbox:deleted':
      return { team: { event: event.type, payload: { id: event.inbox_id } } }
    case 'widget_settings:updated':
      return { team: { event: event.type, payload: event.widget_settings } }
    case 'user:updated':
      return { team: { event: event.type, payload: event.user } }
    case 'tag:updated':
      return { team: { event: event.type, payload: event.tag } }
    case 'tag:deleted':
      return { team: { event: event.type, payload: { id: event.tag_id } } }
    case 'note:created':
    case 'note:updated':
      return { team: { event: event.type, payload: event.note } }
    case 'note:deleted':
      return { team: { event: event.type, payload: { id: event.note_id, customer_id: event.customer_id } } }
    case 'issue:created':
    case 'issue:updated': {
      const { type, issue, customer_ids } = event
      return { team: { event: type, payload: issue }, lobbies: lobbiesOf(customer_ids, type, issue) }
    }
    case 'issue:deleted':
      return { team: { event: event.type, payload: { id: event.issue_id } } }
    // To who listens to one customer, an issue that is linked is new there.
    case 'issue:linked':
    case 'issue:unlinked': {
      const { type, issue, customer_id } = event
      const inLobby = type === 'issue:linked' ? 'issue:created' : 'issue:updated'
      return {
        team: { event: type, payload: { customer_id, issue } },
        lobbies: lobbiesOf([customer_id], inLobby, issue),
      }
    }
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

function lobbiesOf(customer_ids: string[], event: string, payload: object) {
  return customer_ids.map((id) => ({ topic: `issue:lobby:${id}`, event, payload }))
}
