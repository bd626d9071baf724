import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Id, maybe, Ok, Text } from '../wire.ts'

/** Mails with forwarded conversations that an account may send per hour. */
export const FORWARDED_PER_HOUR = 30

/** Sends conversations by mail to people outside of the team. */
export const conversationForwarding = {
  forward: endpoint('user', 'POST', '/api/conversations/:id/forward', {
    summary:
      'Forwards a conversation by mail, without private notes, and records the recipient in it. Replies go to the caller.',
    params: z.object({ id: Id }),
    body: z.object({
      forward: z.object({
        key: maybe(Text(100)).check(
          z.describe('Chosen by the caller and repeated in retries, so that a retry sends no second mail.'),
        ),
        to: Text(255)
          .check(z.trim(), z.toLowerCase(), z.email('is invalid'))
          .check(z.describe('The address that receives the conversation.')),
        note: maybe(Text(5_000)).check(z.describe('Shown above the conversation.')),
      }),
    }),
    answer: Ok,
    status: 202,
    limit: 'message',
  }),
}
