import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { GivenBoolean, Host, Id, IntegerBetween, ifAny, maybe, Text, Timestamp } from '../wire.ts'

/** Encryption of a connection to a mail server: from the start, or upgraded by STARTTLS. */
export const MailSecurity = z.enum(['tls', 'starttls', 'none'])
export type MailSecurity = z.output<typeof MailSecurity>

const Port = IntegerBetween(1, 65_535)

/** A connected mailbox, without its password. */
export const MailboxAuthorization = z.object({
  id: z.string(),
  object: z.literal('mailbox_authorization'),
  inbox_id: z.string(),
  address: z.string(),
  username: z.string(),
  /** A mask if there is one. Sending the mask back keeps the password. */
  password: z.string(),
  imap_host: z.string(),
  imap_port: z.int32(),
  imap_security: MailSecurity,
  smtp_host: z.string(),
  smtp_port: z.int32(),
  smtp_security: MailSecurity,
  folder: z.string(),
  /** The folder for sent mails, if the mailbox has one. */
  sent_folder: z.nullable(z.string()),
  /** Marks mails as read once they are messages. */
  marks_read: z.boolean(),
  /** Watches the folder of sent mails: replies from another program join the conversation. */
  watches_sent: z.boolean(),
  /** Its mails are written by forms, in the name of the people in Reply-To. */
  takes_forms: z.boolean(),
  created_at: Timestamp,
})
export type MailboxAuthorization = z.output<typeof MailboxAuthorization>

const MailboxDraft = z.object({
  inbox_id: Id,
  address: Text(255).check(z.trim(), z.toLowerCase(), z.email('is invalid')),
  /** The address by default. */
  username: maybe(Text(255)),
  password: maybe(Text(1000)),
  imap_host: Host,
  imap_port: Port,
  imap_security: MailSecurity,
  smtp_host: Host,
  smtp_port: Port,
  smtp_security: MailSecurity,
  folder: ifAny(Text(255)),
  /** When first connected, also imports mails of this many days before. */
  since_days: ifAny(IntegerBetween(0, 7, 'must be from 0 to 7')),
  marks_read: ifAny(GivenBoolean),
  watches_sent: ifAny(GivenBoolean),
  takes_forms: ifAny(GivenBoolean),
})
export type MailboxDraft = z.output<typeof MailboxDraft>

/** Calls about mailboxes by IMAP and SMTP. */
export const mailbox = {
  connect: endpoint('admin', 'POST', '/api/mailbox/auth', {
    summary: 'Connects the mailbox of an inbox, after testing it both ways. A masked password keeps the stored one.',
    body: z.object({ authorization: MailboxDraft }),
    answer: data(z.object({ ok: z.boolean(), id: z.string() })),
    limit: 'message',
    session_only: true,
  }),
  get: endpoint('admin', 'GET', '/api/mailbox/authorization', {
    summary: 'Returns the mailbox of an inbox, or null.',
    query: z.object({ inbox_id: Id }),
    answer: data(z.nullable(MailboxAuthorization)),
  }),
  folders: endpoint('admin', 'GET', '/api/mailbox/authorizations/:id/folders', {
    summary: 'Lists the folders of a connected mailbox.',
    answer: data(z.array(z.string())),
    limit: 'message',
  }),
  remove: endpoint('admin', 'DELETE', '/api/mailbox/authorizations/:id', {
    summary: 'Disconnects a mailbox. Nothing is changed in it.',
    answer: z.null(),
    status: 204,
  }),
}
