import { NotFound } from '../../../errors.ts'
import { readSignedToken, signToken } from '../../../platform/signed-token.ts'

/** The conversation that a link is about. */
export interface Rated {
  account_id: string
  conversation_id: string
}

/** As long as the mail itself is kept. */
export const VALID_MS = 30 * 86_400_000

const PURPOSE = 'rating'

/** The token of a link for rating a conversation, valid until a time in epoch milliseconds. */
export function makeToken(secretKey: string, { account_id, conversation_id }: Rated, until: number): string {
  return signToken(secretKey, PURPOSE, [account_id, conversation_id, String(until)])
}

/**
 * The conversation of a link.
 * @throws NotFound if we did not write it, or it has expired
 */
export function readToken(secretKey: string, token: string, now: number): Rated {
  const [account_id, conversation_id, until] = readSignedToken(secretKey, PURPOSE, token) ?? []
  if (!account_id || !conversation_id || Number(until) < now) throw new NotFound()
  return { account_id, conversation_id }
}
