import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { FilledText, Timestamp } from '../wire.ts'

/** A text that agents insert into a reply. */
export const SavedReply = z.object({
  id: z.string(),
  object: z.literal('canned_response'),
  name: z.string(),
  content: z.string().check(z.describe('The text, as Markdown.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type SavedReply = z.output<typeof SavedReply>

/** Input of saving a reply. */
export const SavedReplyDraft = z.object({
  name: FilledText(100),
  content: FilledText(20_000).check(z.describe('The text, as Markdown.')),
})
export type SavedReplyDraft = z.output<typeof SavedReplyDraft>

/** Calls about saved replies. */
export const savedReplies = {
  list: endpoint('user', 'GET', '/api/canned_responses', {
    summary: 'Lists saved replies, most recently updated first.',
    answer: data(z.array(SavedReply)),
  }),
  create: endpoint('user', 'POST', '/api/canned_responses', {
    summary: 'Creates a saved reply. Slashes are removed from the name.',
    body: z.object({ canned_response: SavedReplyDraft }),
    answer: data(SavedReply),
    status: 201,
  }),
  get: endpoint('user', 'GET', '/api/canned_responses/:id', {
    summary: 'Returns a saved reply.',
    answer: data(SavedReply),
  }),
  update: endpoint('user', 'PUT', '/api/canned_responses/:id', {
    summary: 'Updates name or content.',
    body: z.object({ canned_response: z.partial(SavedReplyDraft) }),
    answer: data(SavedReply),
  }),
  remove: endpoint('user', 'DELETE', '/api/canned_responses/:id', {
    summary: 'Deletes a saved reply.',
    answer: z.null(),
    status: 204,
  }),
}
