import * as z from 'zod/mini'
import { SharedCustomer } from '../customers/visitor-customer.ts'
import { data, endpoint } from '../endpoint.ts'
import { IntegerInput, Text, Timestamp } from '../wire.ts'
import { VisitorConversationRow } from './conversations.ts'
import { VisitorMessage } from './messages.ts'

/** Lifetime of a link to a conversation, in hours. */
export const SHARE_HOURS = 24

/** A link for reading a conversation. The secret itself is only returned when the link is created. */
export const Share = z.object({
  id: z.string(),
  created_at: Timestamp,
  expires_at: Timestamp.check(z.describe('From then on the link is invalid.')),
})

/** A conversation as the reader of a shared link sees it. */
export const SharedConversation = z.extend(VisitorConversationRow, {
  customer: SharedCustomer,
  messages: z.array(VisitorMessage),
  next: z.nullable(z.int32()).check(z.describe('Send it as `before` for the older page.')),
})

/** Links that show one conversation to people outside of the team. */
export const sharing = {
  share: endpoint('user', 'POST', '/api/conversations/:id/share', {
    summary: 'Creates a link that shows the conversation for 24 hours, without private notes.',
    answer: data(
      z.object({ ok: z.boolean(), token: z.string().check(z.describe('Part of the shared link.')), share: Share }),
    ),
  }),
  list: endpoint('user', 'GET', '/api/conversations/:id/shares', {
    summary: 'Lists the valid links of a conversation.',
    answer: data(z.array(Share)),
  }),
  revoke: endpoint('user', 'DELETE', '/api/conversations/:id/shares/:share_id', {
    summary: 'Revokes a link.',
    answer: z.null(),
    status: 204,
  }),
  shared: endpoint('anyone', 'GET', '/api/conversations/shared', {
    summary: 'Returns the conversation of a link with its newest public messages, or the page before a number.',
    query: z.object({
      conversation_id: z.optional(Text(64).check(z.toLowerCase())),
      token: z.optional(Text(200)).check(z.describe('Part of the shared link.')),
      before: z.optional(IntegerInput).check(z.describe('Only messages with a smaller number: the next older page.')),
    }),
    answer: data(SharedConversation),
  }),
}
