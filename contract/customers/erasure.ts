import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { maybe, Text } from '../wire.ts'

/** Number of deleted objects. */
export const Erased = z.object({
  conversations: z.int32().check(z.describe('Conversations that were destroyed.')),
  messages: z.int32(),
  files: z.int32().check(z.describe('Files that were destroyed.')),
})
export type Erased = z.output<typeof Erased>

/** Typed confirmation, because a deleted account cannot be restored. */
const removal = {
  body: z.object({ company_name: maybe(Text(255)) }),
  answer: z.null(),
  status: 204,
} as const

/** Erases all data of a customer or an account, and sets how long data is kept. */
export const erasure = {
  export: endpoint('admin', 'GET', '/api/customers/:id/export', {
    summary: 'Exports all data of a customer, including private notes, as one JSON document.',
    answer: z.record(z.string(), z.unknown()),
  }),
  erase: endpoint('admin', 'POST', '/api/customers/:id/erase', {
    summary:
      'Erases all data of a customer for good: conversations with messages and files, notes, mails, events and the search index. This cannot be undone.',
    answer: data(Erased),
  }),
  closeAccount: endpoint('admin', 'DELETE', '/api/accounts/me', {
    session_only: true,
    summary:
      'Closes the account of the caller at once and deletes all its data. Requires the name of the company. This cannot be undone.',
    ...removal,
  }),
  closeAccountById: endpoint('admin', 'DELETE', '/api/accounts/:id', {
    session_only: true,
    summary: 'Closes the account, by its id.',
    ...removal,
  }),
}
