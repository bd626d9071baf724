import { conversations } from '#contract/conversations/conversations.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { call } from '../../../../platform/http/api.ts'
import { sendToTeam } from '../../../../platform/realtime/connection.ts'

type ConversationDraft = BodyInput<typeof conversations.create>['conversation']

/** Starts a conversation and returns its id. The ids in the draft make a retry safe. */
export async function startConversation(conversation: ConversationDraft): Promise<string> {
  const { data } = await call(conversations.create, { body: { conversation } })
  // Marked as read, because the customer has not written yet.
  sendToTeam('read', { conversation_id: data.id })
  return data.id
}
