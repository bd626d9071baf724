import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { hashToken, newId, newToken } from '../../../platform/secrets.ts'

export type Purpose = 'verification' | 'password_reset' | 'sign_in'

const HOURS: Record<Purpose, number> = { verification: 7 * 24, password_reset: 2, sign_in: 1 / 60 }

interface Owner {
  account_id: string
  user_id: number
}

/** Creates a token that works once. Earlier ones for the same purpose become invalid: only the newest mail counts. */
export async function makeOneTimeToken({ db }: Pick<Change, 'db'>, owner: Owner, purpose: Purpose): Promise<string> {
  await ofAccount(db, owner.account_id)
    .deleteFrom('one_time_tokens')
    .where('user_id', '=', owner.user_id)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute()
  const token = newToken('pot_')
  await db
    .insertInto('one_time_tokens')
    .values({
      account_id: owner.account_id,
      user_id: owner.user_id,
      id: newId(),
      purpose,
      token_hash: hashToken(token),
      expires_at: new Date(Date.now() + HOURS[purpose] * 3_600_000).toISOString(),
    })
    .execute()
  return token
}

export function hoursOf(purpose: Purpose): number {
  return HOURS[purpose]
}

/** Uses a token up. Returns its owner, and whether it had been used before; undefined if it is unknown or expired. */
export async function redeemOneTimeToken(
  { db }: Pick<Change, 'db'>,
  token: string,
  purpose: Purpose,
): Promise<(Owner & { was_used: boolean }) | undefined> {
  const row = await acrossAccounts(db, 'who holds the secret is told whose it is')
    .selectFrom('one_time_tokens')
    .select(['account_id', 'id', 'user_id', 'used_at', 'expires_at'])
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .forUpdate()
    .executeTakeFirst()
  if (!row || Date.parse(row.expires_at) < Date.now()) return undefined
  const { account_id, id, user_id, used_at } = row
  if (used_at) return { account_id, user_id, was_used: true }
  await ofAccount(db, account_id)
    .updateTable('one_time_tokens')
    .set({ used_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
  return { account_id, user_id, was_used: false }
}

/** Deletes expired tokens. */
export async function pruneTokens(db: Db): Promise<void> {
  await acrossAccounts(db, 'looks after all accounts at once')
    .deleteFrom('one_time_tokens')
    .where('expires_at', '<', new Date().toISOString())
    .execute()
}
