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
  status: ConversationStatus.check(z.describe('`open` or `closed`.')),
  created_at: Timestamp,
  closed_at: z.nullable(Timestamp).check(z.describe('When it was closed; null while it is open.')),
  last_message: z.nullable(VisitorMessage).check(z.describe('The newest message, notes excluded.')),
  unseen: z.int32().check(z.describe("Number of the team's messages that the visitor has not seen.")),
  rating: z.nullable(VisitorRating).check(z.describe('The visitor’s rating; null if there is none.')),
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
