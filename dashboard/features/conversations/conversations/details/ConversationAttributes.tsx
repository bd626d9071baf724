import { useQueryClient } from '@tanstack/react-query'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { useTeam } from '../../../accounts/accounts/account.ts'
import { SubjectAttributes } from '../../../customers/attributes/SubjectAttributes.tsx'
import { setConversationAttribute } from './queries.ts'

/** The attributes of a conversation, each edited in its place. */
export function ConversationAttributes({ conversation: { id, metadata } }: { conversation: Conversation }) {
  const client = useQueryClient()
  const { me } = useTeam()
  return (
    <SubjectAttributes
      subject="conversation"
      metadata={metadata}
      save={(key, value) => setConversationAttribute(client, id, { [key]: value }, me.id)}
    />
  )
}
