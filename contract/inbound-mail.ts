import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Ok, Text } from './wire.ts'

/** How relays hand mails in. */
export const inboundMail = {
  take: endpoint('signed', 'POST', '/api/inbound_mail/:key', {
    summary:
      'Takes a mail from a relay: raw, or as Mailgun (body-mime), SendGrid (email) and Postmark (RawEmail) post it.',
    signature: 'inbound_mail',
    params: z.object({ key: Text(200) }),
    query: z.object({ to: z.optional(Text(2000)), from: z.optional(Text(400)) }),
    answer: Ok,
    body_limit: 50_000_000,
    limit: 'none',
  }),
}
