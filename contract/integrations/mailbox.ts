import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { BooleanInput, Host, Id, IntegerBetween, ifAny, maybe, Text, Timestamp } from '../wire.ts'

/** Encryption of a connection to a mail server: from the start, or upgraded by STARTTLS. */
export const MailSecurity = z.enum(['tls', 'starttls', 'none'])
export type MailSecurity = z.output<typeof MailSecurity>

const Port = IntegerBetween(1, 65_535)

/** A connected mailbox, without its password. */
export const MailboxAuthorization = z.object({
  id: z.string(),
  object: z.literal('mailbox_authorization'),
  inbox_id: z.string(),
  address: z.string().check(z.describe('E-mail address that customers write to.')),
  username: z.string().check(z.describe('Name to sign in with.')),
  password: z.string().check(z.describe('A mask if there is one. Sending the mask back keeps the password.')),
  imap_host: z.string().check(z.describe('Host name of the IMAP server.')),
  imap_port: z.int32().check(z.describe('Usually 993.')),
  imap_security: MailSecurity.check(z.describe('`tls` from the beginning, or `starttls`.')),
  smtp_host: z.string().check(z.describe('Host name of the SMTP server.')),
  smtp_port: z.int32().check(z.describe('Usually 465 or 587.')),
  smtp_security: MailSecurity.check(z.describe('`tls` from the beginning, or `starttls`.')),
  folder: z.string().check(z.describe('Folder whose mails become conversations; usually `INBOX`.')),
  sent_folder: z.nullable(z.string()).check(z.describe('The folder for sent mails, if the mailbox has one.')),
  marks_read: z.boolean().check(z.describe('Marks mails as read once they are messages.')),
  watches_sent: z
    .boolean()
    .check(z.describe('Watches the folder of sent mails: replies from another program join the conversation.')),
  takes_forms: z.boolean().check(z.describe('Its mails are written by forms, in the name of the people in Reply-To.')),
  created_at: Timestamp,
})
export type MailboxAuthorization = z.output<typeof MailboxAuthorization>

const MailboxDraft = z.object({
  inbox_id: Id,
  address: Text(255)
    .check(z.trim(), z.toLowerCase(), z.email('is invalid'))
    .check(z.describe('E-mail address that customers write to.')),
  username: maybe(Text(255)).check(z.describe('The address by default.')),
  password: maybe(Text(1000)),
  imap_host: Host.check(z.describe('Host name of the IMAP server.')),
  imap_port: Port.check(z.describe('Usually 993.')),
  imap_security: MailSecurity.check(z.describe('`tls` from the beginning, or `starttls`.')),
  smtp_host: Host.check(z.describe('Host name of the SMTP server.')),
  smtp_port: Port.check(z.describe('Usually 465 or 587.')),
  smtp_security: MailSecurity.check(z.describe('`tls` from the beginning, or `starttls`.')),
  folder: ifAny(Text(255)).check(z.describe('Folder whose mails become conversations; usually `INBOX`.')),
  since_days: ifAny(IntegerBetween(0, 7, 'must be from 0 to 7')).check(
    z.describe('When first connected, also imports mails of this many days before.'),
  ),
  marks_read: ifAny(BooleanInput).check(z.describe('Marks mails as read once they are messages.')),
  watches_sent: ifAny(BooleanInput).check(
    z.describe('Watches the folder of sent mails: replies from another program join the conversation.'),
  ),
  takes_forms: ifAny(BooleanInput).check(
    z.describe('Its mails are written by forms, in the name of the people in Reply-To.'),
  ),
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
