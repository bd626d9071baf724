import * as z from 'zod/mini'
import { data, endpoint } from './endpoint.ts'

/** What was destroyed. */
export const Erased = z.object({ conversations: z.int(), messages: z.int(), files: z.int() })
export type Erased = z.output<typeof Erased>

export const erasure = {
  export: endpoint('admin', 'GET', '/api/customers/:id/export', {
    says: 'Everything that is kept about one customer, private notes included, as one JSON document.',
    answer: z.record(z.string(), z.unknown()),
  }),
  erase: endpoint('admin', 'POST', '/api/customers/:id/erase', {
    says: 'Destroys everything of one customer: conversations with all messages and files, notes, mails, the log of events and what search knows. Nothing of it can be brought back.',
    answer: data(Erased),
  }),
}
