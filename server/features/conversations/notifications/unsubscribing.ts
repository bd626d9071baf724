import type { Config } from '../../../config.ts'
import { NotFound } from '../../../errors.ts'
import type { Change } from '../../../platform/db/change.ts'
import { readSignedToken, signToken } from '../../../platform/signed-token.ts'
import { recordUnsubscribed } from '../../customers/customers/complaints.ts'

/** What the tokens of these links are for. Mails that were sent contain it in their signature, so it must not change. */
const PURPOSE = 'unsubscribe'

/** The link below a mail to a customer by which no more of them come, and the headers by which mail programs offer it. */
export function unsubscribeLink({ secretKey, baseUrl }: Config, account_id: string, customer_id: string) {
  const token = signToken(secretKey!, PURPOSE, [account_id, customer_id])
  return {
    href: `${baseUrl}/unsubscribe?token=${token}`,
    headers: {
      'List-Unsubscribe': `<${baseUrl}/api/unsubscribe/${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

/**
 * Unsubscribes a customer from these mails. Repeating it changes nothing.
 * @throws NotFound for a token that we did not write
 */
export async function unsubscribe(change: Change, secretKey: string, token: string): Promise<void> {
  const [account_id, customer_id] = readSignedToken(secretKey, PURPOSE, token) ?? []
  if (!account_id || !customer_id) throw new NotFound()
  await recordUnsubscribed(change, account_id, customer_id)
}
