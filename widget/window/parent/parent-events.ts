import { NEEDED } from '../../protocol.ts'
import type { VisitorData } from '../outbox/outbox.ts'
import type { Parent } from './parent.ts'

/**
 * Reports the visitor's customer id, the conversation, and whether the frame is needed to the page, whenever one
 * changes.
 */
export function createParentEvents(parent: Parent, isReturning: boolean) {
  let sentCustomer: string | undefined
  let sentConversation: string | undefined
  let sentNeeded: boolean | undefined
  return ({ session, conversation, outbox }: VisitorData) => {
    const customerId = session?.opened ? session.customer_id : undefined
    if (customerId && customerId !== sentCustomer) {
      parent.send(isReturning || sentCustomer ? 'customer:updated' : 'customer:created', { customerId })
      sentCustomer = customerId
    }
    const conversationId = conversation?.opened ? conversation.id : undefined
    if (conversationId && conversationId !== sentConversation) {
      parent.send('conversation:join', { conversationId, customerId })
    }
    sentConversation = conversationId
    const isNeeded = !!conversationId || outbox.some(({ refused }) => !refused)
    if (isNeeded !== sentNeeded) parent.send(NEEDED, { isNeeded })
    sentNeeded = isNeeded
  }
}
