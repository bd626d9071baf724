import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../../config.ts'
import { NotFound } from '../../../errors.ts'
import type { Change } from '../../../platform/db/change.ts'
import { recordUnsubscribed } from '../../customers/customers/complaints.ts'

/** The link below a mail to a customer by which no more of them come, and the headers by which mail programs offer it. */
export function unsubscribeLink({ secretKey, baseUrl }: Config, account_id: string, customer_id: string) {
  const signature = sign(secretKey!, account_id, customer_id)
  const token = Buffer.from(`${account_id}.${customer_id}.${signature}`).toString('base64url')
  return {
    href: `${baseUrl}/unsubscribe?token=${token}`,
    headers: {
      'List-Unsubscribe': `<${baseUrl}/api/unsubscribe/${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

/** Proves that an unsubscribe link is ours, without storing anything. */
function sign(secretKey: string, account_id: string, customer_id: string): string {
  return createHmac('sha256', secretKey).update(`unsubscribe ${account_id} ${customer_id}`).digest('base64url')
}

/** Unsubscribes a customer from these mails. Repeating it changes nothing. */
export async function unsubscribe(change: Change, secretKey: string, token: string): Promise<void> {
  const [account_id = '', customer_id = '', signature = ''] = Buffer.from(token, 'base64url').toString().split('.')
  const expected = Buffer.from(sign(secretKey, account_id, customer_id))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new NotFound()
  await recordUnsubscribed(change, account_id, customer_id)
}
