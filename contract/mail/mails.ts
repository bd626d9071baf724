import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { Timestamp } from '../wire.ts'

/**
 * What a mail is about, and whether its content gives access: to the recipient's own user (`recipient`), to a new seat
 * in the team (`invitation`), or to nothing (`none`). A new kind has to say so before it compiles.
 */
const ACCESS = {
  verification: 'recipient',
  password_reset: 'recipient',
  two_factor_removed: 'none',
  invitation: 'invitation',
  new_message: 'none',
  new_conversation: 'none',
  mention: 'none',
  deadline: 'none',
  reply: 'none',
  rating: 'none',
  conversation: 'none',
  transcript: 'none',
  forwarding_test: 'none',
  operator: 'none',
  billing: 'none',
  webhook_off: 'none',
  template_failed: 'none',
  template_test: 'none',
  integration_broken: 'none',
  mail_quota: 'none',
} as const satisfies Record<string, 'recipient' | 'invitation' | 'none'>

export type MailKind = keyof typeof ACCESS
export const MailKind = z.enum(Object.keys(ACCESS) as MailKind[])

/** The access that a mail of this kind gives to whoever reads it. */
export function accessOf(kind: MailKind): 'recipient' | 'invitation' | 'none' {
  return ACCESS[kind]
}

/** A mail as shown to admins. Without a mail server none is ever sent. */
export const StoredMail = z.object({
  id: z.string(),
  kind: MailKind.check(z.describe('What it is about.')),
  recipient: z.string().check(z.describe('Its address.')),
  subject: z.string(),
  created_at: Timestamp,
  sent_at: z.nullable(Timestamp).check(z.describe('When it was sent; null if it was not.')),
  kept_at: z
    .nullable(Timestamp)
    .check(
      z.describe(
        'Since when it is kept because there was no mail server. Mails younger than a day are sent once there is one.',
      ),
    ),
  failed_at: z.nullable(Timestamp).check(z.describe('When it failed for good; null if it did not.')),
  failure: z.nullable(z.string()).check(z.describe("The mail server's last error; final once `failed_at` is set.")),
  tries: z.int32().check(z.describe('Number of attempts to send it.')),
})
export type StoredMail = z.output<typeof StoredMail>

/** Mails that Parley wrote: kept for admins while no mail server is set up, or when it refuses them. */
export const mails = {
  list: endpoint('admin', 'GET', '/api/mails', {
    summary: 'Lists the newest 50 mails of the account, and whether a mail server accepted them.',
    answer: z.object({
      data: z.array(StoredMail),
      is_mail_server_set: z.boolean().check(z.describe('Whether the server can send mails.')),
      kept_count: z.int32().check(z.describe('Mails that wait for a mail server.')),
    }),
  }),
  get: endpoint('admin', 'GET', '/api/mails/:id', {
    summary:
      'Returns a mail with its content. The content is empty if it gives access to somebody’s account: it is never returned to API keys.',
    answer: data(
      z.extend(StoredMail, {
        text: z.string().check(z.describe('As plain text.')),
        html: z.string().check(z.describe('As HTML.')),
      }),
    ),
  }),
  sendKept: endpoint('admin', 'POST', '/api/mails/send_kept', {
    summary: 'Sends all mails written while there was no mail server, and returns their number.',
    answer: data(z.object({ count: z.int32().check(z.describe('Number of mails that are sent now.')) })),
    status: 200,
  }),
  retry: endpoint('admin', 'POST', '/api/mails/:id/retry', {
    summary: 'Sends a mail again that was refused, or written while there was no mail server.',
    answer: data(StoredMail),
  }),
}
