import { readSignedToken, signToken } from '../../../platform/signed-token.ts'

/** As long as a page of the dashboard may stay open before somebody writes in its chat. */
const VALID_MS = 86_400_000

const PURPOSE = 'test chat'

/** A token with which a chat window of an account starts test conversations, for a day. */
export function makeTestToken(secretKey: string, account_id: string, now: number): string {
  return signToken(secretKey, PURPOSE, [account_id, String(now + VALID_MS)])
}

/** Whether a token for test conversations is of this account, and still valid. */
export function isTestToken(secretKey: string, account_id: string, token: string, now: number): boolean {
  const [of, until] = readSignedToken(secretKey, PURPOSE, token) ?? []
  return of === account_id && Number(until) >= now
}
