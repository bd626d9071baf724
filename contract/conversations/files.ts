import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { AccountId } from '../wire.ts'
import { StoredFile, VisitorFile } from './messages.ts'

/** Papercups' limit, which its clients assume. */
export const MAX_FILE_BYTES = 8_000_000

/** Uploading a file, and reading one by its id and secret. */
export const files = {
  upload: endpoint('anyone', 'POST', '/api/upload', {
    summary:
      'Uploads a file, as multipart field `file`. Its type is detected from its content; metadata of photos is removed.',
    body: z.object({
      account_id: z.optional(AccountId),
      file: z.unknown().check(z.describe('The file itself, as a part of the form.')),
    }),
    answer: data(StoredFile),
    visitor_answer: data(VisitorFile),
    status: 201,
    limit: 'message',
    takes_file: true,
  }),
}
