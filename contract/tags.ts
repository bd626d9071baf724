import * as z from 'zod/mini'
import { Tag } from './conversations.ts'
import { data, endpoint } from './endpoint.ts'
import { FilledText, Id, maybe, Ok, Text } from './wire.ts'

/** The colours of tags, in the order in which new ones take them. */
export const TAG_COLORS = ['magenta', 'red', 'volcano', 'purple', 'blue'] as const

export const TagDraft = z.object({ name: FilledText(100), description: maybe(Text(2000)), color: maybe(Text(40)) })
export type TagDraft = z.output<typeof TagDraft>

export const tags = {
  list: endpoint('user', 'GET', '/api/tags', { says: 'All tags by name.', answer: data(z.array(Tag)) }),
  create: endpoint('user', 'POST', '/api/tags', {
    says: 'Adds a tag. Its name is unique in the account.',
    body: z.object({ tag: TagDraft }),
    answer: data(Tag),
    status: 201,
  }),
  get: endpoint('user', 'GET', '/api/tags/:id', { says: 'One tag.', answer: data(Tag) }),
  update: endpoint('user', 'PUT', '/api/tags/:id', {
    says: 'Changes name, description or colour.',
    body: z.object({ tag: z.partial(TagDraft) }),
    answer: data(Tag),
  }),
  remove: endpoint('user', 'DELETE', '/api/tags/:id', {
    says: 'Removes a tag from everything that has it.',
    answer: z.null(),
    status: 204,
  }),
  addToConversation: endpoint('user', 'POST', '/api/conversations/:id/tags', {
    says: 'Puts a tag on a conversation; it may be there already.',
    body: z.object({ tag_id: Id }),
    answer: data(Ok),
  }),
  removeFromConversation: endpoint('user', 'DELETE', '/api/conversations/:id/tags/:tag_id', {
    says: 'Takes a tag off a conversation.',
    answer: data(Ok),
  }),
}
