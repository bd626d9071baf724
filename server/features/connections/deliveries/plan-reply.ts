import type { Conversation } from '#contract/conversations/conversations.ts'
import type { NewDelivery, Planned } from '../../../integration.ts'

/**
 * Sends the team's replies in conversations of a channel over the connection that the customer wrote to, else over that
 * of the inbox, else over the newest.
 */
export function planReplies(
  { event, conversation, authorizations, threads }: Planned,
  source: Conversation['source'],
): NewDelivery[] {
  if (event.type !== 'message:created' || conversation?.source !== source) return []
  const route = chooseRoute(conversation, authorizations, threads)
  if (!route) return []
  const { id: conversation_id } = conversation
  const post = { kind: 'post' as const, conversation_id, message_id: event.message.id }
  return [{ ...post, authorization_id: route.id, queue: `${source} ${conversation_id}` }]
}

/** The connection that the customer wrote to, else that of the inbox, else the newest. */
export function chooseRoute(
  { inbox_id }: Pick<Conversation, 'inbox_id'>,
  authorizations: Planned['authorizations'],
  threads: Planned['threads'],
) {
  const origin = threads.findLast(({ role }) => role === 'origin')
  return (
    authorizations.find(({ id }) => id === origin?.authorization_id) ??
    authorizations.find((authorization) => authorization.inbox_id === inbox_id) ??
    authorizations.at(-1)
  )
}
