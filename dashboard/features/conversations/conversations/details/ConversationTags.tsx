import { useQueryClient } from '@tanstack/react-query'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { useTeam } from '../../../accounts/accounts/account.ts'
import { TagEditor } from '../../../customers/tags/TagEditor.tsx'
import { tagConversation } from './queries.ts'

/** The tags of a conversation, updated live. */
export function ConversationTags({ conversation }: { conversation: Conversation }) {
  const client = useQueryClient()
  const { me } = useTeam()
  return <TagEditor tags={conversation.tags} save={(plan) => tagConversation(client, conversation, plan, me.id)} />
}
