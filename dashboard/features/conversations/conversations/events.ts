import type { FeatureEvents } from '../../../platform/realtime/feature-events.ts'
import { applyConversationEvent } from './cache.ts'
import { conversationKeys } from './keys.ts'

const { lists } = conversationKeys
const openCount = (customer_id: string) => conversationKeys.count({ customer_id, status: 'open' })

export const conversationEvents: FeatureEvents = {
  apply: applyConversationEvent,
  invalidates: {
    shout: [lists],
    'message:updated': [lists],
    'message:deleted': [lists],
    'conversation:created': ({ conversation }) => [
      lists,
      ...(conversation ? [openCount(conversation.customer_id)] : []),
    ],
    'conversation:updated': ({ updates }) => [lists, openCount(updates.customer_id)],
    'conversation:tagged': [lists],
    'conversation:destroyed': [lists],
    'conversations:moved': ({ customer, from_customer_id }) => [
      lists,
      openCount(customer.id),
      openCount(from_customer_id),
    ],
    // The numbers of all messages of both may have changed.
    'messages:moved': ({ from, to }) => [
      lists,
      conversationKeys.views,
      ...[from, to].flatMap(({ id }) => [conversationKeys.detail(id), conversationKeys.related(id)]),
    ],
    // Lists show the customer's name, and filter by their company.
    'customer:updated': [lists],
    'customer:deleted': [lists],
    'customer_import:updated': [lists],
    // Lists show who wrote last.
    'user:updated': [lists],
    'tag:updated': [lists],
    'tag:deleted': [lists],
  },
}
