import { messages } from '#contract/conversations/messages.ts'
import { call } from '../../../platform/http/api.ts'

/** Adds a private note to a conversation. It arrives in the thread as an event. */
export async function addNote(conversation_id: string, body: string): Promise<void> {
  await call(messages.create, { body: { message: { conversation_id, body, type: 'note', private: true } } })
}
