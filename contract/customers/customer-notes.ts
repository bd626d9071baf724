import * as z from 'zod/mini'
import { User } from '../accounts/users.ts'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { CountParameter, FilledText, Id, IntegerInput, Text, Timestamp } from '../wire.ts'
import { Customer } from './customers.ts'

/** A note of the team about a customer. */
export const CustomerNote = z.object({
  id: z.string(),
  object: z.literal('note'),
  body: z.string(),
  content_type: z.literal('text'),
  customer_id: z.string(),
  author_id: z.int32(),
  created_at: Timestamp,
  updated_at: Timestamp,
  author: z.nullable(User),
})
export type CustomerNote = z.output<typeof CustomerNote>

const body = FilledText(20_000)

/** A note about a customer was written. */
export const noteCreated = defineEvent('note:created', {
  receivers: 'team',
  payload: { note: CustomerNote },
})

/** A note was changed. */
export const noteUpdated = defineEvent('note:updated', {
  receivers: 'team',
  payload: { note: CustomerNote },
})

/** A note was deleted. */
export const noteDeleted = defineEvent('note:deleted', {
  receivers: 'team',
  payload: { note_id: z.string(), customer_id: z.string() },
  sends: z.object({ id: z.string(), customer_id: z.string() }),
  as: ({ note_id, customer_id }) => ({ id: note_id, customer_id }),
})

/** Calls about notes: the team's remarks about a customer, never shown to them. */
export const customerNotes = {
  list: endpoint('user', 'GET', '/api/notes', {
    for_functions: true,
    summary: 'Lists notes on customers, newest first, in pages of at most 100.',
    query: z.object({
      customer_id: z.optional(Id),
      author_id: z.optional(IntegerInput),
      after: z.optional(Text(200)).check(z.describe('`next` of the page before.')),
      limit: CountParameter,
    }),
    answer: z.object({
      data: z.array(z.extend(CustomerNote, { customer: Customer })),
      next: z.nullable(z.string()).check(z.describe('Send it as `after` for the next page; null on the last one.')),
    }),
  }),
  create: endpoint('user', 'POST', '/api/notes', {
    for_functions: true,
    summary: 'Creates a note on a customer.',
    body: z.object({ note: z.object({ body, customer_id: Id }) }),
    answer: data(CustomerNote),
    status: 201,
  }),
  get: endpoint('user', 'GET', '/api/notes/:id', {
    for_functions: true,
    summary: 'Returns a note.',
    answer: data(CustomerNote),
  }),
  update: endpoint('user', 'PUT', '/api/notes/:id', {
    summary: 'Updates a note. Only for its author and admins.',
    body: z.object({ note: z.object({ body: z.optional(body) }) }),
    answer: data(CustomerNote),
  }),
  remove: endpoint('user', 'DELETE', '/api/notes/:id', {
    summary: 'Deletes a note. Only for its author and admins.',
    answer: z.null(),
    status: 204,
  }),
}
