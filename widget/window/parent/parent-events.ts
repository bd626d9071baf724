import { NEEDED } from '../../protocol.ts'
import type { Kept } from '../outbox/outbox.ts'
import type { Parent } from './parent.ts'

/**
 * Reports the visitor's customer id, the conversation, and whether the frame is needed to the page, whenever one
 * changes.
 */
export function createParentEvents(parent: Parent, isReturning: boolean) {
  let toldCustomer: string | undefined
  let toldConversation: string | undefined
  let toldNeeded: boolean | undefined
  return ({ session, conversation, outbox }: Kept) => {
    const customerId = session?.opened ? session.customer_id : undefined
    if (customerId && customerId !== toldCustomer) {
      parent.send(isReturning || toldCustomer ? 'customer:updated' : 'customer:created', { customerId })
      toldCustomer = customerId
    }
    const conversationId = conversation?.opened ? conversation.id : undefined
    if (conversationId && conversationId !== toldConversation) {
      parent.send('conversation:join', { conversationId, customerId })
    }
    toldConversation = conversationId
    const isNeeded = !!conversationId || outbox.some(({ refused }) => !refused)
    if (isNeeded !== toldNeeded) parent.send(NEEDED, { isNeeded })
    toldNeeded = isNeeded
  }
}
