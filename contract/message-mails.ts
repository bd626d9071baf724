import * as z from 'zod/mini'
import { data, endpoint } from './endpoint.ts'
import { Timestamp } from './wire.ts'

/** The mail of a message that was received or sent by mail. */
export const MessageMail = z.object({
  message_id: z.string(),
  direction: z.enum(['in', 'out']),
  subject: z.string(),
  from_address: z.nullable(z.string()),
  from_name: z.nullable(z.string()),
  /** The address for replies. */
  answer_to: z.nullable(z.string()),
  recipients: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  /** The original HTML, not sanitised: show it in a sandboxed frame. */
  html: z.nullable(z.string()),
  /** Whether the sender's domain authenticates the mail. */
  proof: z.nullable(z.enum(['pass', 'fail', 'none'])),
  /** When a mail server reported that it could not be delivered, and its message. */
  bounced_at: z.nullable(Timestamp),
  bounce_reason: z.nullable(z.string()),
  created_at: Timestamp,
})
export type MessageMail = z.output<typeof MessageMail>

/** Calls about the mails of messages. */
export const messageMails = {
  get: endpoint('user', 'GET', '/api/messages/:id/mail', {
    summary: 'Returns the mail of a message: its addresses and its HTML.',
    answer: data(MessageMail),
  }),
}
