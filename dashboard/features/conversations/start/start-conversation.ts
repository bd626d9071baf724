import { conversations } from '#contract/conversations.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { call } from '../../../platform/http/api.ts'
import { sendToTeam } from '../../../platform/realtime/connection.ts'

type ConversationDraft = BodyInput<typeof conversations.create>['conversation']

/** Starts a conversation with a customer and returns its id. The ids in the draft make it safe to send again. */
export async function startConversation(conversation: ConversationDraft): Promise<string> {
  const { data } = await call(conversations.create, { body: { conversation } })
  // Nobody outside has said anything yet.
  sendToTeam('read', { conversation_id: data.id })
  return data.id
}
