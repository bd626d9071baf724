import * as z from 'zod/mini'
import { ConversationRow } from '../conversations/conversations.ts'
import { data, endpoint } from '../endpoint.ts'
import { Id, Timestamp } from '../wire.ts'

/** The mail of a message that was received or sent by mail. */
export const MessageMail = z.object({
  message_id: z.string(),
  direction: z.enum(['in', 'out']).check(z.describe('`in` for a received mail, `out` for one that was sent.')),
  subject: z.string(),
  from_address: z.nullable(z.string()).check(z.describe('The sender’s address, as in the mail.')),
  from_name: z.nullable(z.string()).check(z.describe('The sender’s name, as in the mail.')),
  answer_to: z.nullable(z.string()).check(z.describe('The address for replies.')),
  recipients: z.array(z.string()).check(z.describe('Addresses in To.')),
  cc: z.array(z.string()).check(z.describe('Addresses in Cc.')),
  bcc: z.array(z.string()).check(z.describe('Addresses in Bcc.')),
  html: z.nullable(z.string()).check(z.describe('The original HTML, not sanitised: show it in a sandboxed frame.')),
  proof: z
    .nullable(z.enum(['pass', 'fail', 'none']))
    .check(z.describe("Whether the sender's domain authenticates the mail.")),
  bounced_at: z
    .nullable(Timestamp)
    .check(z.describe('When a mail server reported that it could not be delivered, and its message.')),
  bounce_reason: z.nullable(z.string()).check(z.describe('The mail server’s message.')),
  created_at: Timestamp,
})
export type MessageMail = z.output<typeof MessageMail>

/** Somebody who takes part in a conversation by mail. */
export const MailRecipient = z.object({
  address: z.string().check(z.describe('E-mail address.')),
  name: z.nullable(z.string()),
  is_new: z
    .boolean()
    .check(
      z.describe('Nobody has written to this address in the conversation before, and nobody proven has included it.'),
    ),
})
export type MailRecipient = z.output<typeof MailRecipient>

/** To whom the next reply goes if its author chooses nobody else. */
export const MailRecipients = z.object({
  to: z.array(MailRecipient).check(z.describe('Who gets the next reply.')),
  cc: z.array(MailRecipient).check(z.describe('Who gets a copy of the next reply.')),
  participants: z
    .array(z.string())
    .check(z.describe('All addresses that are not new in the conversation, in lower case.')),
  attachable_bytes: z
    .int()
    .check(z.describe('Bytes of files that its mail can contain; files beyond that are sent as links.')),
})
export type MailRecipients = z.output<typeof MailRecipients>

/** The mail of a message in a list. */
export const MailOfConversation = z.object({
  message_id: z.string(),
  direction: z.enum(['in', 'out']).check(z.describe('`in` for a received mail, `out` for one that was sent.')),
  from_address: z.nullable(z.string()).check(z.describe('The sender’s address, as in the mail.')),
  from_name: z.nullable(z.string()).check(z.describe('The sender’s name, as in the mail.')),
  sender: z
    .nullable(z.enum(['customer', 'participant', 'newcomer']))
    .check(z.describe('Of a received mail: its author as seen in the conversation; null for mails of the team.')),
  proof: z
    .nullable(z.enum(['pass', 'fail', 'none']))
    .check(z.describe('Whether the sender’s domain authenticates the mail.')),
  recipients: z.array(z.string()).check(z.describe('Addresses in To.')),
  cc: z.array(z.string()).check(z.describe('Addresses in Cc.')),
  bcc: z.array(z.string()).check(z.describe('Addresses in Bcc.')),
  has_other_recipients: z.boolean().check(z.describe('A reply that went to other people than the one before.')),
})
export type MailOfConversation = z.output<typeof MailOfConversation>

/** Calls about the mails of messages. */
export const messageMails = {
  get: endpoint('user', 'GET', '/api/messages/:id/mail', {
    summary: 'Returns the mail of a message: its addresses and its HTML.',
    answer: data(MessageMail),
  }),
  ofConversation: endpoint('user', 'GET', '/api/conversations/:id/mails', {
    summary: 'Lists the newest 200 mails of a conversation, oldest first: who wrote them and to whom they went.',
    params: z.object({ id: Id }),
    answer: data(z.array(MailOfConversation)),
  }),
  recipients: endpoint('user', 'GET', '/api/conversations/:id/recipients', {
    for_functions: true,
    summary: 'Returns to whom the next reply by mail goes. Empty for conversations that are not by mail.',
    params: z.object({ id: Id }),
    answer: data(MailRecipients),
  }),
  splitOff: endpoint('user', 'POST', '/api/messages/:id/split_off', {
    summary:
      'Moves a mail that somebody other than the customer wrote into a conversation of its own sender, and returns that. A repeat returns the same.',
    params: z.object({ id: Id }),
    answer: data(ConversationRow),
  }),
  undoSplitOff: endpoint('user', 'DELETE', '/api/messages/:id/split_off', {
    summary:
      'Moves a mail that was split off back into the conversation it came from, and returns that. Refused once somebody has written after it.',
    params: z.object({ id: Id }),
    answer: data(ConversationRow),
  }),
}
