import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { BooleanInput, FilledText, Id, ifAny, maybe, Text, Timestamp } from '../wire.ts'

/** A mail service's request to confirm forwarding, as received at the forwarding address. */
export const ForwardingConfirmation = z.object({
  from: z.string().check(z.describe('Who sent the confirmation: the mail provider.')),
  code: z.nullable(z.string()).check(z.describe('To be entered at the provider; null if there is only a link.')),
  link: z
    .nullable(z.string())
    .check(z.describe('Confirms the forwarding when it is opened; null if there is only a code.')),
  at: Timestamp.check(z.describe('When it arrived.')),
})

/** An address that a company forwards its mail to, and the address that mail is sent to originally. */
export const ForwardingAddress = z.object({
  id: z.string(),
  object: z.literal('forwarding_address'),
  account_id: z.string(),
  inbox_id: z.nullable(z.string()).check(z.describe('Null means the primary inbox.')),
  forwarding_email_address: z.string().check(z.describe('The address to forward to.')),
  source_email_address: z.string().check(z.describe('The address of yours whose mail is forwarded.')),
  description: z.nullable(z.string()),
  state: z
    .enum(['pending', 'verified'])
    .check(z.describe('`verified` once a test mail to the source came back; then replies are sent from it.')),
  takes_lists: z.boolean().check(z.describe('Whether newsletters and mailing lists also become conversations.')),
  takes_forms: z
    .boolean()
    .check(z.describe('Whether its mails are written by forms, in the name of the people in Reply-To.')),
  verified_at: z.nullable(Timestamp).check(z.describe('When a test mail came back; null before.')),
  last_in_at: z.nullable(Timestamp).check(z.describe('When a mail last arrived.')),
  confirmation: z
    .nullable(ForwardingConfirmation)
    .check(z.describe('The provider’s question whether the forwarding is wanted; null if none arrived.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type ForwardingAddress = z.output<typeof ForwardingAddress>

const Address = FilledText(320).check(z.regex(/^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;".]+$/, 'is not an email address'))

/** Input of creating one. */
export const ForwardingAddressDraft = z.object({
  source_email_address: Address.check(z.describe('The address of yours whose mail is forwarded.')),
  description: maybe(Text(255)),
  inbox_id: maybe(Id),
  takes_lists: ifAny(BooleanInput).check(
    z.describe('Whether newsletters and mailing lists also become conversations.'),
  ),
  takes_forms: ifAny(BooleanInput).check(
    z.describe('Whether its mails are written by forms, in the name of the people in Reply-To.'),
  ),
})
export type ForwardingAddressDraft = z.output<typeof ForwardingAddressDraft>

/** Calls about forwarding addresses. */
export const forwardingAddresses = {
  list: endpoint('admin', 'GET', '/api/forwarding_addresses', {
    summary:
      'Lists forwarding addresses, of one inbox or all, newest first, and whether mail can be received and sent.',
    query: z.object({ inbox_id: z.optional(Id) }),
    answer: z.object({
      data: z.array(ForwardingAddress),
      can_receive: z
        .boolean()
        .check(z.describe('Whether the installation has a domain or an address to which mail can be forwarded.')),
      can_send: z.boolean().check(z.describe('Whether a mail server is set up to send test mails and replies.')),
      receiving_problem: z
        .nullable(z.string())
        .check(z.describe('Why no mail arrives at the moment, as a sentence; null if no problem is known.')),
    }),
  }),
  create: endpoint('admin', 'POST', '/api/forwarding_addresses', {
    summary: 'Creates an address to which the mail of a source address is to be forwarded.',
    body: z.object({ forwarding_address: ForwardingAddressDraft }),
    answer: data(ForwardingAddress),
    status: 201,
  }),
  get: endpoint('admin', 'GET', '/api/forwarding_addresses/:id', {
    summary: 'Returns a forwarding address.',
    answer: data(ForwardingAddress),
  }),
  update: endpoint('admin', 'PUT', '/api/forwarding_addresses/:id', {
    summary:
      'Updates source, description, inbox, whether mailing lists are accepted, or whether forms write to it. A new source must be tested again.',
    body: z.object({ forwarding_address: z.partial(ForwardingAddressDraft) }),
    answer: data(ForwardingAddress),
  }),
  remove: endpoint('admin', 'DELETE', '/api/forwarding_addresses/:id', {
    summary: 'Deletes a forwarding address. Mail to it is then refused.',
    answer: z.null(),
    status: 204,
  }),
  test: endpoint('admin', 'POST', '/api/forwarding_addresses/:id/test', {
    summary: 'Sends a test mail to the source. Once it is forwarded back, the address is verified.',
    answer: data(ForwardingAddress),
  }),
}
