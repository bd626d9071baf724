import { memo } from 'react'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { ConversationDetails } from '../../../features/conversations/conversations/details/ConversationDetails.tsx'
import { CustomerDetails } from '../../customer/CustomerDetails.tsx'

/** The details of the customer and the conversation. */
export const ConversationSidebar = memo(({ conversation, hide }: { conversation: Conversation; hide: () => void }) => (
  <CustomerDetails key={conversation.customer_id} conversation={conversation} hide={hide}>
    <ConversationDetails key={conversation.id} conversation={conversation} />
  </CustomerDetails>
))
