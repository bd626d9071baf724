import * as z from 'zod/mini'
import { Tag } from '../conversations/conversations.ts'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent, Gone } from '../event.ts'
import { BooleanInput, FilledText, Id, maybe, Ok, Text } from '../wire.ts'

/** The colours of tags, in the order in which new ones take them. */
export const TAG_COLORS = ['magenta', 'red', 'volcano', 'purple', 'blue'] as const

/** Fields of a tag for creating or changing it. */
export const TagDraft = z.object({
  name: FilledText(100),
  description: maybe(Text(2000)),
  color: maybe(Text(40)).check(z.describe('`magenta`, `red`, `volcano`, `purple` or `blue`.')),
})
export type TagDraft = z.output<typeof TagDraft>

/** A tag with the numbers of its customers and conversations, if requested. */
export const CountedTag = z.extend(Tag, {
  customers_count: z.optional(z.int32()).check(z.describe('Customers with this tag.')),
  conversations_count: z.optional(z.int32()).check(z.describe('Conversations with this tag.')),
})
export type CountedTag = z.output<typeof CountedTag>

/** A tag was created or changed. */
export const tagUpdated = defineEvent('tag:updated', {
  receivers: 'team',
  payload: { tag: Tag },
})

/** A tag was deleted, and removed from everything that had it. */
export const tagDeleted = defineEvent('tag:deleted', {
  receivers: 'team',
  payload: { tag_id: z.string() },
  sends: Gone,
  as: ({ tag_id: id }) => ({ id }),
})

/** Calls about tags, and about what has them. */
export const tags = {
  list: endpoint('user', 'GET', '/api/tags', {
    for_functions: true,
    summary: 'Lists the tags by name.',
    query: z.object({ counts: z.optional(BooleanInput).check(z.describe('`true` adds the two counts.')) }),
    answer: data(z.array(CountedTag)),
  }),
  create: endpoint('user', 'POST', '/api/tags', {
    for_functions: true,
    summary: 'Creates a tag. Its name is unique in the account.',
    body: z.object({ tag: TagDraft }),
    answer: data(Tag),
    status: 201,
  }),
  get: endpoint('user', 'GET', '/api/tags/:id', {
    for_functions: true,
    summary: 'Returns a tag, with its number of uses.',
    answer: data(CountedTag),
  }),
  update: endpoint('user', 'PUT', '/api/tags/:id', {
    summary: 'Updates name, description or colour.',
    body: z.object({ tag: z.partial(TagDraft) }),
    answer: data(Tag),
  }),
  remove: endpoint('user', 'DELETE', '/api/tags/:id', {
    summary: 'Deletes a tag, and removes it everywhere.',
    answer: z.null(),
    status: 204,
  }),
  addToConversation: endpoint('user', 'POST', '/api/conversations/:id/tags', {
    for_functions: true,
    summary: 'Adds a tag to a conversation, unless it has it already.',
    body: z.object({ tag_id: Id }),
    answer: data(Ok),
  }),
  removeFromConversation: endpoint('user', 'DELETE', '/api/conversations/:id/tags/:tag_id', {
    for_functions: true,
    summary: 'Removes a tag from a conversation.',
    answer: data(Ok),
  }),
  addToCustomer: endpoint('user', 'POST', '/api/customers/:id/tags', {
    for_functions: true,
    summary: 'Adds a tag to a customer, unless it has it already.',
    body: z.object({ tag_id: Id }),
    answer: data(Ok),
  }),
  removeFromCustomer: endpoint('user', 'DELETE', '/api/customers/:id/tags/:tag_id', {
    for_functions: true,
    summary: 'Removes a tag from a customer.',
    answer: data(Ok),
  }),
  removeFromCustomerByBody: endpoint('user', 'DELETE', '/api/customers/:id/tags', {
    for_functions: true,
    summary: 'Removes a tag, given in body or query, from a customer.',
    body: z.object({ tag_id: Id }),
    answer: data(Ok),
  }),
}
