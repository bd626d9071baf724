import * as z from 'zod/mini'
import { data, endpoint } from './endpoint.ts'
import { maybe, Text } from './wire.ts'

/** What was destroyed. */
export const Erased = z.object({ conversations: z.int(), messages: z.int(), files: z.int() })
export type Erased = z.output<typeof Erased>

/** Typed by whoever means it, since nothing brings an account back. */
const removal = {
  body: z.object({ company_name: maybe(Text(255)) }),
  answer: z.null(),
  status: 204,
} as const

/** Erasing all that is kept of a customer, and what the account keeps for how long. */
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
