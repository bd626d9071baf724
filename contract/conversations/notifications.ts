import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { Ok, Text } from '../wire.ts'

/** Unsubscribing from mails about conversations, by the link at their end. */
export const notifications = {
  unsubscribe: endpoint('anyone', 'POST', '/api/unsubscribe/:token', {
    session_only: true,
    summary:
      'Unsubscribes a customer from mails about replies. The token is in each of those mails; mail programs may call this automatically.',
    params: z.object({ token: Text(200).check(z.describe('From the link in the mail.')) }),
    answer: data(Ok),
    limit: 'sign-in',
  }),
}
