import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Ok, Text } from '../wire.ts'

const OneOrMany = z.union([Text(400), z.array(Text(400)).check(z.maxLength(200))])

/** Where relays deliver incoming mail. */
export const inboundMail = {
  take: endpoint('signed', 'POST', '/api/inbound_mail/:key', {
    summary:
      'Receives a mail from a relay: raw, or as posted by Mailgun (body-mime), SendGrid (email), Postmark (RawEmail) or SES over SNS.',
    signature: 'inbound_mail',
    params: z.object({ key: Text(200).check(z.describe('Secret part of the URL.')) }),
    query: z.object({
      to: z.optional(Text(2000)).check(z.describe('Recipient of the SMTP envelope.')),
      from: z.optional(Text(400)).check(z.describe('Sender of the SMTP envelope.')),
    }),
    answer: Ok,
    body_limit: 50_000_000,
    limit: 'none',
  }),
  takeFromBucket: endpoint('signed', 'POST', '/api/ses/webhook', {
    summary:
      'Receives a mail that SES stored in an S3 bucket, from a program of the operator. Its id is that of the object.',
    signature: 'inbound_mail',
    query: z.object({ key: Text(200).check(z.describe('Secret part of the URL.')) }),
    body: z.object({
      message_id: Text(500).check(z.describe('Name of the stored mail in the bucket.')),
      from_address: z.optional(OneOrMany).check(z.describe('Sender of the mail.')),
      to_addresses: z.optional(OneOrMany).check(z.describe('Recipients of the mail.')),
      forwarded_to: z.optional(z.nullable(OneOrMany)).check(z.describe('The forwarding address that received it.')),
    }),
    answer: Ok,
    limit: 'none',
  }),
}
