import * as z from 'zod/mini'
import { data, endpoint } from './endpoint.ts'
import { GivenBoolean, GivenInteger, Host, Id, ifAny, maybe, Text, Timestamp } from './wire.ts'

/** How a connection to a mail server is encrypted: from the first byte, or after greeting it. */
export const MailSecurity = z.enum(['tls', 'starttls', 'none'])
export type MailSecurity = z.output<typeof MailSecurity>

const Port = GivenInteger.check(z.refine((port) => port >= 1 && port <= 65_535, 'is invalid'))

/** A mailbox that is read and written through, without its password. */
export const MailboxAuthorization = z.object({
  id: z.string(),
  object: z.literal('mailbox_authorization'),
  inbox_id: z.string(),
  address: z.string(),
  username: z.string(),
  /** Only that there is one. Sent back, it stays. */
  password: z.string(),
  imap_host: z.string(),
  imap_port: z.int(),
  imap_security: MailSecurity,
  smtp_host: z.string(),
  smtp_port: z.int(),
  smtp_security: MailSecurity,
  folder: z.string(),
  /** Where sent mails are kept, if the mailbox has such a folder. */
  sent_folder: z.nullable(z.string()),
  /** Mails that became messages are marked as read. */
  marks_read: z.boolean(),
  /** Sent mails are watched: what is answered in another program joins its conversation. */
  watches_sent: z.boolean(),
  created_at: Timestamp,
})
export type MailboxAuthorization = z.output<typeof MailboxAuthorization>

const MailboxDraft = z.object({
  inbox_id: Id,
  address: Text(255).check(z.trim(), z.toLowerCase(), z.email('is invalid')),
  /** The address unless said otherwise. */
  username: maybe(Text(255)),
  password: maybe(Text(1000)),
  imap_host: Host,
  imap_port: Port,
  imap_security: MailSecurity,
  smtp_host: Host,
  smtp_port: Port,
  smtp_security: MailSecurity,
  folder: ifAny(Text(255)),
  /** Mails of so many days before now are taken in, too, when it is connected first. */
  since_days: ifAny(GivenInteger.check(z.refine((days) => days >= 0 && days <= 7, 'must be from 0 to 7'))),
  marks_read: ifAny(GivenBoolean),
  watches_sent: ifAny(GivenBoolean),
})
export type MailboxDraft = z.output<typeof MailboxDraft>

/** Calls about mailboxes by IMAP and SMTP. */
export const mailbox = {
  connect: endpoint('admin', 'POST', '/api/mailbox/auth', {
    summary:
      'Connects the mailbox of an inbox, after it was tried both ways. A masked password keeps the one that is stored.',
    body: z.object({ authorization: MailboxDraft }),
    answer: data(z.object({ ok: z.boolean(), id: z.string() })),
    limit: 'message',
    session_only: true,
  }),
  get: endpoint('admin', 'GET', '/api/mailbox/authorization', {
    summary: 'The mailbox of an inbox, or null.',
    query: z.object({ inbox_id: Id }),
    answer: data(z.nullable(MailboxAuthorization)),
  }),
  folders: endpoint('admin', 'GET', '/api/mailbox/authorizations/:id/folders', {
    summary: 'The folders of a connected mailbox, as its server names them.',
    answer: data(z.array(z.string())),
    limit: 'message',
  }),
  remove: endpoint('admin', 'DELETE', '/api/mailbox/authorizations/:id', {
    summary: 'Disconnects a mailbox. Nothing in it is changed.',
    answer: z.null(),
    status: 204,
  }),
}
