import { createHmac, timingSafeEqual } from 'node:crypto'
import { NotFound } from '../../../errors.ts'

/** The conversation that a link is about. */
export interface Rated {
  account_id: string
  conversation_id: string
}

/** As long as the mail itself is kept. */
export const VALID_MS = 30 * 86_400_000

/** Proves that a link for rating a conversation is ours, without storing anything. */
export function makeToken(secretKey: string, rated: Rated, until: number): string {
  const text = `${rated.account_id}.${rated.conversation_id}.${until}`
  return Buffer.from(`${text}.${sign(secretKey, text)}`).toString('base64url')
}

/**
 * The conversation of a link.
 * @throws NotFound if we did not write it, or it has expired
 */
export function readToken(secretKey: string, token: string, now: number): Rated {
  const [account_id = '', conversation_id = '', until = '', signature = ''] = Buffer.from(token, 'base64url')
    .toString()
    .split('.')
  const received = Buffer.from(signature)
  const expected = Buffer.from(sign(secretKey, `${account_id}.${conversation_id}.${until}`))
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) throw new NotFound()
  if (Number(until) < now) throw new NotFound()
  return { account_id, conversation_id }
}

function sign(secretKey: string, text: string): string {
  return createHmac('sha256', secretKey).update(`rating ${text}`).digest('base64url')
}
