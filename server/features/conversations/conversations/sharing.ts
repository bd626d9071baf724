import type { z } from 'zod/mini'
import { SHARE_HOURS, type Share } from '#contract/conversations/sharing.ts'
import { Forbidden, NotFound } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { hashToken, newId, newToken } from '../../../platform/secrets.ts'
import { isServed } from '../../accounts/accounts/suspension.ts'
import { lockConversation } from './conversations.ts'

type ShareRecord = z.output<typeof Share>

const columns = ['id', 'created_at', 'expires_at'] as const

/** Creates a link to a conversation that works for 24 hours. Only this result contains the secret. */
export async function shareConversation(
  { db }: Change,
  account_id: string,
  conversation_id: string,
  created_by: number,
): Promise<{ token: string; share: ShareRecord }> {
  if (!(await lockConversation(db, account_id, conversation_id))) throw new NotFound()
  const token = newToken('psh_')
  const share = await db
    .insertInto('conversation_shares')
    .values({
      account_id,
      id: newId(),
      conversation_id,
      created_by,
      token_hash: hashToken(token),
      expires_at: new Date(Date.now() + SHARE_HOURS * 3_600_000).toISOString(),
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return { token, share }
}

/** The valid links of a conversation, newest first. */
export function listShares(db: Db, account_id: string, conversation_id: string): Promise<ShareRecord[]> {
  return ofAccount(db, account_id)
    .selectFrom('conversation_shares')
    .select(columns)
    .where('conversation_id', '=', conversation_id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', new Date().toISOString())
    .orderBy('created_at', 'desc')
    .execute()
}

export async function revokeShare(
  { db }: Change,
  account_id: string,
  conversation_id: string,
  id: string,
): Promise<null> {
  const { numUpdatedRows } = await ofAccount(db, account_id)
    .updateTable('conversation_shares')
    .set({ revoked_at: new Date().toISOString() })
    .where('conversation_id', '=', conversation_id)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (!numUpdatedRows) throw new NotFound()
  return null
}

/** The account of a link's conversation. Throws Forbidden if the link is unknown or expired. */
export async function openShare(
  db: Db,
  conversation_id: string | undefined,
  token: string | undefined,
): Promise<string> {
  const share = token
    ? await acrossAccounts(db, 'who holds the secret is told whose it is')
        .selectFrom('conversation_shares')
        .select(['account_id', 'conversation_id', 'expires_at', 'revoked_at'])
        .where('token_hash', '=', hashToken(token))
        .where(isServed('conversation_shares.account_id'))
        .executeTakeFirst()
    : undefined
  if (!share || share.conversation_id !== conversation_id || share.revoked_at) throw new Forbidden('Access denied')
  if (Date.parse(share.expires_at) < Date.now()) throw new Forbidden('This link has expired')
  return share.account_id
}
