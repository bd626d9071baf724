import * as z from 'zod/mini'
import { ConversationStatusChanged } from './conversations/conversations.ts'
import { ConversationChanged } from './conversations/merging.ts'
import { MessageDeleted, MessagesSeen, VisitorMessage } from './conversations/messages.ts'
import { VisitorRating } from './conversations/ratings.ts'

function form<const Name extends string, S extends z.ZodMiniType>(name: Name, payload: S) {
  return z.object({ event: z.literal(name), payload })
}

/** An event as visitors receive it, over a socket or from the resume feed. */
export const VisitorEvent = z.discriminatedUnion('event', [
  form('shout', VisitorMessage),
  form('message:updated', VisitorMessage),
  form('message:deleted', MessageDeleted),
  form('messages:seen', MessagesSeen),
  form('messages:read', MessagesSeen),
  form('conversation:changed', ConversationChanged),
  form('conversation:created', z.object({ id: z.string() })),
  form('conversation:status', ConversationStatusChanged),
  form('conversation:rated', VisitorRating),
])
export type VisitorEvent = z.output<typeof VisitorEvent>
