import * as z from 'zod/mini'
import { data, endpoint } from './endpoint.ts'
import { Timestamp } from './wire.ts'

/** What a mail is about. */
export const MailKind = z.enum([
  'verification',
  'password_reset',
  'invitation',
  'new_message',
  'new_conversation',
  'mention',
  'reply',
  'conversation',
  'transcript',
  'forwarding_test',
  'operator',
  'billing',
  'webhook_off',
  'template_failed',
  'template_test',
  'integration_broken',
])
export type MailKind = z.output<typeof MailKind>

/** A mail as shown to admins. Without a mail server none is ever sent. */
export const StoredMail = z.object({
  id: z.string(),
  kind: MailKind,
  recipient: z.string(),
  subject: z.string(),
  created_at: Timestamp,
  sent_at: z.nullable(Timestamp),
  /** Since when it is kept because there was no mail server. Mails younger than a day are sent once there is one. */
  kept_at: z.nullable(Timestamp),
  failed_at: z.nullable(Timestamp),
  /** The mail server's last error; final once `failed_at` is set. */
  failure: z.nullable(z.string()),
  /** Number of attempts to send it. */
  tries: z.int(),
})
export type StoredMail = z.output<typeof StoredMail>

/** Mails that Parley wrote: kept for admins while no mail server is set up, or when it refuses them. */
export const mails = {
  list: endpoint('admin', 'GET', '/api/mails', {
    summary: 'Lists the newest 50 mails of the account, and whether a mail server accepted them.',
    answer: z.object({ data: z.array(StoredMail), is_mail_server_set: z.boolean(), kept_count: z.int() }),
  }),
  get: endpoint('admin', 'GET', '/api/mails/:id', {
    summary: 'Returns a mail with its content.',
    answer: data(z.extend(StoredMail, { text: z.string(), html: z.string() })),
  }),
  sendKept: endpoint('admin', 'POST', '/api/mails/send_kept', {
    summary: 'Sends all mails written while there was no mail server, and returns their number.',
    answer: data(z.object({ count: z.int() })),
    status: 200,
  }),
  retry: endpoint('admin', 'POST', '/api/mails/:id/retry', {
    summary: 'Sends a mail again that was refused, or written while there was no mail server.',
    answer: data(StoredMail),
  }),
}
