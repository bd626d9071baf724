import * as z from 'zod/mini'
import { data, endpoint } from './endpoint.ts'
import { maybe, Text } from './wire.ts'

/** Number of deleted objects. */
export const Erased = z.object({ conversations: z.int(), messages: z.int(), files: z.int() })
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
    summary: 'Everything that is kept about one customer, private notes included, as one JSON document.',
    answer: z.record(z.string(), z.unknown()),
  }),
  erase: endpoint('admin', 'POST', '/api/customers/:id/erase', {
    summary:
      'Destroys everything of one customer: conversations with all messages and files, notes, mails, the log of events and what search knows. Nothing of it can be brought back.',
    answer: data(Erased),
  }),
  closeAccount: endpoint('admin', 'DELETE', '/api/accounts/me', {
    session_only: true,
    summary:
      'Closes the account of who asks at once and for everybody, and destroys it with all that is in it. Asks for the name of the company; nothing brings it back.',
    ...removal,
  }),
  closeAccountById: endpoint('admin', 'DELETE', '/api/accounts/:id', {
    session_only: true,
    summary: 'The same, by its id.',
    ...removal,
  }),
}
