import { ConversationStatusChanged } from '#contract/conversations/conversations.ts'
import { ConversationChanged } from '#contract/conversations/merging.ts'
import { MessageDeleted, MessagesSeen } from '#contract/conversations/messages.ts'
import { VisitorRating } from '#contract/conversations/ratings.ts'
import type { CustomerEvent, Event } from '#contract/events.ts'
import type { VisitorEvent } from '#contract/visitor-events.ts'
import { pick } from '../../../pick.ts'
import { forCustomer } from '../../conversations/messages/for-customer.ts'
import { customerInChat } from '../../customers/customers/for-visitor.ts'

/** The event for the customer, and its topic. */
export interface CustomerSide {
  customer_id: string
  topic: string
  sends: VisitorEvent
}

type Sides = {
  [Type in CustomerEvent['type']]: (event: Extract<CustomerEvent, { type: Type }>) => CustomerSide | undefined
}

/**
 * What customers may see of their conversations, live and when catching up; decided here only. Private notes have no
 * customer's side, so nothing can leak them.
 */
const SIDES: Sides = {
  'message:created': (event) => sideOfMessage('shout', event),
  'message:updated': (event) => sideOfMessage('message:updated', event),
  'message:deleted': ({ type, message_id: id, conversation_id, customer_id, private: isPrivate, ...message }) => {
    const payload = pick(MessageDeleted, { ...message, id, conversation_id })
    return isPrivate ? undefined : inConversation(conversation_id, customer_id, { event: type, payload })
  },
  'messages:seen': sideOfReceipt,
  'messages:read': sideOfReceipt,
  'messages:moved': ({ from, customer_id }) => ({
    customer_id,
    topic: `conversation:lobby:${customer_id}`,
    sends: { event: 'conversation:changed', payload: pick(ConversationChanged, from) },
  }),
  'conversation:created': ({ type, conversation: { id, customer_id } }) => ({
    customer_id,
    topic: `conversation:lobby:${customer_id}`,
    sends: { event: type, payload: { id } },
  }),
  'conversation:updated': ({ conversation }) => {
    const payload = pick(ConversationStatusChanged, conversation)
    return inConversation(conversation.id, conversation.customer_id, { event: 'conversation:status', payload })
  },
  'conversation:rated': ({ type, rating, customer_id }) =>
    inConversation(rating.conversation_id, customer_id, { event: type, payload: pick(VisitorRating, rating) }),
}

export function customerSide(event: Event): CustomerSide | undefined {
  if (!(event.type in SIDES)) return undefined
  const decide = SIDES[event.type as keyof Sides] as (event: Event) => CustomerSide | undefined
  return decide(event)
}

function inConversation(id: string, customer_id: string, sends: VisitorEvent): CustomerSide {
  return { customer_id, topic: `conversation:${id}`, sends }
}

type MessageEvent = Extract<CustomerEvent, { type: 'message:created' | 'message:updated' }>

function sideOfMessage(name: 'shout' | 'message:updated', { message, customer_id, company }: MessageEvent) {
  if (message.private) return undefined
  // Published clients recognise the echo of their own message by this key.
  const customer = message.customer && { customer: customerInChat(message.customer) }
  const payload = { ...forCustomer(message, company), ...customer }
  return inConversation(message.conversation_id, customer_id, { event: name, payload })
}

type Receipt = Extract<CustomerEvent, { type: 'messages:seen' | 'messages:read' }>

function sideOfReceipt({ type, customer_id, ...payload }: Receipt) {
  return inConversation(payload.conversation_id, customer_id, { event: type, payload: pick(MessagesSeen, payload) })
}
