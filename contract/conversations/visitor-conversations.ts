import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { InboxChoice } from '../widget/widgets.ts'
import { Timestamp } from '../wire.ts'
import { ConversationStatus } from './conversations.ts'
import { VisitorMessage } from './messages.ts'
import { VisitorRating } from './ratings.ts'

/** A visitor's own conversation, as shown in a list. */
export const VisitorConversation = z.object({
  id: z.string(),
  object: z.literal('conversation'),
  inbox_id: z.string(),
  status: ConversationStatus,
  created_at: Timestamp,
  closed_at: z.nullable(Timestamp),
  /** The newest message, notes excluded. */
  last_message: z.nullable(VisitorMessage),
  /** Number of the team's messages that the visitor has not seen. */
  unseen: z.int32(),
  rating: z.nullable(VisitorRating),
})
export type VisitorConversation = z.output<typeof VisitorConversation>

/** Calls about a visitor's own conversations: `contract/widget.md`. */
export const visitorConversations = {
  list: endpoint('visitor', 'GET', '/api/visitor_conversations', {
    summary: "Lists the visitor's own chats, open and closed, latest first, at most 30.",
    query: z.object({ inbox_id: InboxChoice }),
    answer: data(z.array(VisitorConversation)),
  }),
}
