import * as z from 'zod/mini'
import { User } from '../accounts/users.ts'
import { Erased } from '../customers/erasure.ts'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent, Gone } from '../event.ts'
import { CountParameter, Text } from '../wire.ts'
import { Conversation } from './conversations.ts'

/** A deleted conversation: it is in no other list, until it is restored by clearing `archived_at`. */
export const DeletedConversation = z.extend(Conversation, {
  deleted_by: z.nullable(User).check(z.describe('Who deleted it, or its customer; null if unknown.')),
})
export type DeletedConversation = z.output<typeof DeletedConversation>

/** A deleted conversation was destroyed for good. */
export const conversationDestroyed = defineEvent('conversation:destroyed', {
  receivers: 'team',
  payload: { conversation_id: z.string() },
  sends: Gone,
  as: ({ conversation_id: id }) => ({ id }),
})

/** Deleted conversations, for admins. */
export const deletedConversations = {
  list: endpoint('admin', 'GET', '/api/deleted_conversations', {
    summary:
      'Lists deleted conversations, the last deleted first. `q` searches names and e-mail addresses of customers, and subjects.',
    query: z.object({
      q: z.optional(Text(200)).check(z.describe('Words in name, address, subject or messages.')),
      after: z.optional(Text(200)).check(z.describe('The `next` of the page before. Leave it out for the first page.')),
      limit: CountParameter,
    }),
    answer: z.object({
      data: z.array(DeletedConversation),
      next: z.nullable(z.string()).check(z.describe('Send it as `after` for the next page; null on the last one.')),
    }),
  }),
  destroy: endpoint('admin', 'DELETE', '/api/deleted_conversations/:id', {
    summary:
      'Destroys a deleted conversation for good, with its messages, files, mails, events and search index. This cannot be undone.',
    answer: data(Erased),
  }),
}
