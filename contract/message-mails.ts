import * as z from 'zod/mini'
import { data, endpoint } from './endpoint.ts'
import { Timestamp } from './wire.ts'

/** The mail that a message came or left as. */
export const MessageMail = z.object({
  message_id: z.string(),
  direction: z.enum(['in', 'out']),
  subject: z.string(),
  from_address: z.nullable(z.string()),
  from_name: z.nullable(z.string()),
  /** Where an answer to it goes. */
  answer_to: z.nullable(z.string()),
  recipients: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  /** As its sender laid it out, not made safe: show it in a frame without rights. */
  html: z.nullable(z.string()),
  /** Whether the domain of its sender vouches for it. */
  proof: z.nullable(z.enum(['pass', 'fail', 'none'])),
  /** When a mail server reported that it did not arrive, and in which words. */
  bounced_at: z.nullable(Timestamp),
  bounce_reason: z.nullable(z.string()),
  created_at: Timestamp,
})
export type MessageMail = z.output<typeof MessageMail>

/** Calls about the mails behind messages. */
export const messageMails = {
  get: endpoint('user', 'GET', '/api/messages/:id/mail', {
    summary: 'The mail that a message came or left as: its addresses, and its HTML.',
    answer: data(MessageMail),
  }),
}
