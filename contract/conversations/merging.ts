import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { Id, Timestamp } from '../wire.ts'
import { ConversationRow } from './conversations.ts'

/** For how many days a merge or a split can be undone. */
export const MOVE_UNDO_DAYS = 30

/** Two conversations became one, or one became two. */
export const ConversationMove = z.object({
  id: z.string(),
  object: z.literal('conversation_move'),
  kind: z
    .enum(['merge', 'split'])
    .check(z.describe('`merge`: all messages were moved into the other conversation; `split`: some of them.')),
  from_id: z.string().check(z.describe('The conversation that the messages came from.')),
  from_subject: z.nullable(z.string()).check(z.describe('Subject of that conversation; null if it has none.')),
  to_id: z.string().check(z.describe('The conversation that the messages were moved to.')),
  to_subject: z.nullable(z.string()).check(z.describe('Subject of that conversation; null if it has none.')),
  user_id: z.nullable(z.int32()).check(z.describe('Who did it; null if their user was removed.')),
  created_at: Timestamp,
  can_undo: z.boolean().check(z.describe('Whether it can be undone now: for 30 days, the newest one first.')),
})
export type ConversationMove = z.output<typeof ConversationMove>

/** A conversation has other messages than before, so that it must be loaded again. */
export const ConversationChanged = z.object({
  id: z.string(),
  merged_into: z
    .nullable(z.string())
    .check(z.describe('The conversation that has its messages now; null if it goes on.')),
})

/** Messages were moved between two conversations: by a merge, by a split, or because one of them was undone. */
export const messagesMoved = defineEvent('messages:moved', {
  receivers: 'team and customer',
  payload: { from: ConversationRow, to: ConversationRow, customer_id: z.string() },
  sends: z.object({ from: ConversationRow, to: ConversationRow }),
  as: ({ from, to }) => ({ from, to }),
  customer: z.object({ event: z.literal('conversation:changed'), payload: ConversationChanged }),
})

/** Calls that merge conversations of one customer, split them, and undo either. */
export const merging = {
  merge: endpoint('user', 'POST', '/api/conversations/:id/merge', {
    for_functions: true,
    summary:
      'Merges a conversation into another one of the same customer, and returns that. Its messages are sorted in by their time. What arrives for the merged conversation later is posted in the other one; every other change of it is refused with status 409.',
    params: z.object({ id: Id.check(z.describe('The conversation that becomes part of the other one.')) }),
    body: z.object({ into_id: Id.check(z.describe('The conversation that receives the messages.')) }),
    answer: data(ConversationRow),
  }),
  split: endpoint('user', 'POST', '/api/messages/:id/split', {
    for_functions: true,
    summary:
      'Moves a message, or all from it on, into a new conversation of the same customer and inbox, and returns that.',
    params: z.object({ id: Id }),
    body: z.object({
      range: z
        ._default(z.enum(['one', 'from_here']), 'one')
        .check(z.describe('`one`: only this message; `from_here`: this one and all later ones.')),
    }),
    answer: data(ConversationRow),
  }),
  moves: endpoint('user', 'GET', '/api/conversations/:id/moves', {
    summary: 'Lists merges and splits of a conversation that were not undone, latest first.',
    params: z.object({ id: Id }),
    answer: data(z.array(ConversationMove)),
  }),
  undo: endpoint('user', 'DELETE', '/api/conversation_moves/:id', {
    summary:
      'Undoes a merge or a split, and returns the conversation that has its messages back. What was written since stays where it was written after a merge, and comes along after a split.',
    params: z.object({ id: Id }),
    answer: data(ConversationRow),
  }),
}
