import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { Id, IntegerInput, maybe, Text } from '../wire.ts'
import { MESSAGE_BODY_LIMIT, StoredFile } from './messages.ts'

/** Emptied drafts are remembered for this many days; a device that was offline for longer starts afresh. */
export const EMPTIED_DRAFT_DAYS = 30

/** What a user is writing in one conversation. Nobody else sees it. */
export const StoredDraft = z.object({
  body: z.string(),
  type: z.enum(['reply', 'note']).check(z.describe('Whether it becomes a reply or a private note.')),
  mentioned_user_ids: z.array(z.int32()).check(z.describe('Users whom the note mentions.')),
  original_body: z.nullable(z.string()).check(z.describe('What its author wrote, if `body` is a translation of it.')),
  files: z.array(z.extend(StoredFile, { size: z.int().check(z.describe('In bytes.')) })),
  revision: z.int().check(z.describe('Set by the device that wrote it; larger than the one it knew before.')),
})
export type StoredDraft = z.output<typeof StoredDraft>

/** The text of a draft; empty when it was discarded. */
export const DraftChange = z.object({
  body: Text(MESSAGE_BODY_LIMIT),
  type: z.enum(['reply', 'note']).check(z.describe('Whether it becomes a reply or a private note.')),
  mentioned_user_ids: z
    .optional(z.array(IntegerInput).check(z.maxLength(100)))
    .check(z.describe('Users whom the note mentions.')),
  original_body: maybe(Text(MESSAGE_BODY_LIMIT)).check(
    z.describe('What its author wrote, if `body` is a translation of it.'),
  ),
  file_ids: z.optional(z.array(Id).check(z.maxLength(20))).check(z.describe('Files that were uploaded for it.')),
  revision: z
    .int()
    .check(z.nonnegative())
    .check(z.describe('Larger than the one the device knew before; an older draft never replaces a newer one.')),
})
export type DraftChange = z.output<typeof DraftChange>

/** Drafts are stored on the server, so that they follow their author from device to device. */
export const drafts = {
  get: endpoint('user', 'GET', '/api/conversations/:id/draft', {
    summary: 'Returns the caller’s draft in a conversation, from any device, or null.',
    answer: data(z.nullable(StoredDraft)),
  }),
  save: endpoint('user', 'PUT', '/api/conversations/:id/draft', {
    summary:
      'Saves the caller’s draft; an empty one is deleted. Returns the stored draft, which differs if a larger revision exists.',
    body: z.object({ draft: DraftChange }),
    answer: data(StoredDraft),
  }),
}
