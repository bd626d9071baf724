import type { ConversationRow } from '#contract/conversations/conversations.ts'
import type { NewDelivery, Planned, PlannedAuthorization } from '../../../integration.ts'

type StatusOf = (conversation: ConversationRow) => string

/**
 * Sends everything that happens in an inbox's conversations to the team's channel. With `statusOf` the conversation's
 * state is shown there, too.
 */
export function planForMirror(planned: Planned, statusOf?: StatusOf): NewDelivery[] {
  const { conversation, authorizations } = planned
  if (!conversation) return []
  return authorizations
    .filter(({ inbox_id }) => inbox_id === conversation.inbox_id)
    .flatMap((authorization) => planFor(planned, authorization, conversation.id, statusOf))
}

/** Sends replies of the team to the thread where the customer wrote. No thread is started there. */
export function planForOrigin(planned: Planned): NewDelivery[] {
  const { conversation, authorizations, threads } = planned
  if (!conversation) return []
  return authorizations
    .filter(({ id }) => threads.some(({ authorization_id, role }) => authorization_id === id && role === 'origin'))
    .flatMap((authorization) => planFor(planned, authorization, conversation.id))
}

function planFor(
  { event, threads }: Planned,
  { id }: PlannedAuthorization,
  conversation_id: string,
  statusOf?: StatusOf,
): NewDelivery[] {
  const delivery = { authorization_id: id, queue: conversation_id, conversation_id }
  const own = threads.filter(({ authorization_id }) => authorization_id === id)
  switch (event.type) {
    case 'message:created':
      return [{ ...delivery, kind: 'post', message_id: event.message.id }]
    case 'message:updated': {
      const { id: message_id, edited_at } = event.message
      return own.length > 0 && edited_at ? [{ ...delivery, kind: 'edit', message_id, version: edited_at }] : []
    }
    case 'message:deleted':
      return own.length > 0 ? [{ ...delivery, kind: 'remove', message_id: event.message_id }] : []
    case 'conversation:updated': {
      const { version } = event.conversation
      const isNew = statusOf && own.some(({ shown_status }) => shown_status !== statusOf(event.conversation))
      return isNew ? [{ ...delivery, kind: 'status', version: String(version) }] : []
    }
    default:
      return []
  }
}
