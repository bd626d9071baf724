import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Limits } from '../../platform/limits/limits.ts'
import type { FormFields } from './relay-formats.ts'

/** Mailgun retries for eight hours, possibly with the same signature. */
const MAX_AGE_SECONDS = 12 * 3_600
const ONCE = { capacity: 1, perSecond: 1 / MAX_AGE_SECONDS }

/**
 * Whether Mailgun has signed this form recently, and its token was not used for another one. The signature does not
 * cover the mail, so without this check anybody who has seen one form could submit other mails.
 */
export async function isSignedByMailgun(
  { limits, signingKey }: { limits: Limits; signingKey: string },
  { timestamp = '', token = '', signature = '' }: FormFields,
  body: Buffer,
): Promise<boolean> {
  const age = Date.now() / 1000 - Number(timestamp || Number.NaN)
  if (!(Math.abs(age) < MAX_AGE_SECONDS) || !token) return false
  const expected = createHmac('sha256', signingKey).update(`${timestamp}${token}`).digest()
  const received = Buffer.from(signature, 'hex')
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return false
  return isFirstOrSame(limits, token.slice(0, 200), body)
}

/** A form repeated because our answer was lost is identical. */
async function isFirstOrSame(limits: Limits, token: string, body: Buffer): Promise<boolean> {
  const hash = createHash('sha256').update(body).digest('hex')
  const isFirst = (await limits.take(`mailgun ${token}`, ONCE)).allowed
  const isNew = (await limits.take(`mailgun ${token} ${hash}`, ONCE)).allowed
  return isFirst || !isNew
}
