import { memo } from 'react'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { ConversationDetails } from '../../../features/conversations/conversations/details/ConversationDetails.tsx'
import { lazyComponent } from '../../../platform/lazy/lazy-component.tsx'
import { LazyMount } from '../../../ui/LazyMount.tsx'
import { CustomerDetails } from '../../customer/CustomerDetails.tsx'

const AssignmentDetails = lazyComponent(
  async () => (await import('../../../features/conversations/assignments/AssignmentDetails.tsx')).AssignmentDetails,
)

/** The details of the customer and the conversation. */
export const ConversationSidebar = memo(({ conversation, hide }: { conversation: Conversation; hide: () => void }) => (
  <CustomerDetails key={conversation.customer_id} conversation={conversation} hide={hide}>
    <ConversationDetails key={conversation.id} conversation={conversation}>
      <LazyMount when>
        <AssignmentDetails conversation={conversation} />
      </LazyMount>
    </ConversationDetails>
  </CustomerDetails>
))
