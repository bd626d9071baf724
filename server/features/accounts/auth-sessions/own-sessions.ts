import type { AuthSession } from '#contract/accounts/auth-sessions.ts'
import { NotFound } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/** The sessions of a user, last used first. */
export async function listOwnSessions(db: Db, { account_id, user_id, session_id }: User): Promise<AuthSession[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('auth_sessions')
    .select(['id', 'user_agent', 'address', 'created_at', 'renewed_at'])
    .where('user_id', '=', user_id)
    .where('renew_expires_at', '>', new Date().toISOString())
    .orderBy('renewed_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, object: 'auth_session', is_current: row.id === session_id }))
}

/** Ends one of a user's own sessions. */
export async function endOwnSession({ db }: Change, { account_id, user_id }: User, id: string): Promise<void> {
  const { numDeletedRows } = await ofAccount(db, account_id)
    .deleteFrom('auth_sessions')
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!numDeletedRows) throw new NotFound()
}
