import type { Context } from '../../../context.ts'
import { Invalid, NotSignedIn } from '../../../errors.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'
import { deleteApiKeysOf } from '../../developers/api-keys/api-keys.ts'
import { writeMail } from '../../mail/mails/mails.ts'
import { languageOf } from '../users/user-settings.ts'
import { findUserByEmail } from './auth-sessions.ts'
import { resetMail, verificationMail } from './mail-templates.ts'
import { hoursOf, makeOneTimeToken, redeemOneTimeToken } from './one-time-tokens.ts'
import { isPassword, unknownPassword } from './passwords.ts'
import { removeTwoFactor } from './two-factor.ts'

interface Owner {
  account_id: string
  user_id: number
}

/** Mails a link that confirms somebody's address. */
export async function mailVerification(context: Context, change: Change, owner: Owner, email: string): Promise<void> {
  const token = await makeOneTimeToken(change, owner, 'verification')
  const language = await languageOf(change.db, owner.account_id, owner.user_id)
  const content = verificationMail(language, `${context.config.baseUrl}/verify?token=${token}`)
  await writeMail(context, change, owner.account_id, { id: newId(), kind: 'verification', recipient: email, content })
}

/** Confirms the address a token was mailed to. Repeating it changes nothing and reports that. */
export async function verifyEmail(change: Change, token: string) {
  const owner = await redeemOneTimeToken(change, token, 'verification')
  if (!owner) throw new NotSignedIn('Invalid verification token')
  if (owner.was_used) return { success: true as const, message: 'Email already verified!' }
  await confirmAddress(change, owner)
  return { success: true as const }
}

async function confirmAddress({ db }: Change, { account_id, user_id }: Owner): Promise<void> {
  // Writes users, too: signing in owns the columns of passwords and of verified addresses.
  await ofAccount(db, account_id)
    .updateTable('users')
    .set({ email_verified_at: new Date().toISOString() })
    .where('id', '=', user_id)
    .execute()
}

/** Mails a link for setting a new password, if the address belongs to somebody who may sign in. */
export async function mailReset(context: Context, change: Change, address: string): Promise<void> {
  const user = await findUserByEmail(change.db, address)
  if (!user || user.disabled_at || user.archived_at) return
  const token = await makeOneTimeToken(change, user, 'password_reset')
  const language = await languageOf(change.db, user.account_id, user.user_id)
  const href = `${context.config.baseUrl}/reset?token=${token}`
  const content = resetMail(language, href, hoursOf('password_reset'))
  await writeMail(context, change, user.account_id, {
    id: newId(),
    kind: 'password_reset',
    recipient: user.email,
    content,
  })
}

/** Sets a new password with a mailed token. Ends all sessions. */
export async function resetPassword(change: Change, token: string, password_hash: string) {
  const owner = await redeemOneTimeToken(change, token, 'password_reset')
  if (!owner || owner.was_used) throw new NotSignedIn('Invalid or expired password reset link')
  const user = await savePassword(change, owner, password_hash)
  if (user.disabled_at || user.archived_at) throw new NotSignedIn('Invalid or expired password reset link')
  await endSessions(change, owner)
  return { ...owner, email: user.email }
}

/** Changes the password of a user who knows the old one, and ends their other sessions, whose ids are returned. */
export async function changePassword(
  change: Change,
  { session_id, ...owner }: Owner & { session_id: string },
  password_hash: string,
): Promise<string[]> {
  await savePassword(change, owner, password_hash)
  return endSessions(change, owner, session_id)
}

/**
 * Hands a user over to whoever has proved to own its unconfirmed address. Somebody else may have created the user, so
 * password, second factor and API keys become invalid and the sessions end; their ids are returned.
 */
export async function claimAddress(change: Change, owner: Owner): Promise<string[]> {
  await savePassword(change, owner, await unknownPassword())
  await removeTwoFactor(change, owner)
  await deleteApiKeysOf(change, owner)
  await confirmAddress(change, owner)
  return endSessions(change, owner)
}

/** @throws Invalid when the given current password is wrong */
export async function checkCurrentPassword(
  { db }: Pick<Change, 'db'> | Context,
  owner: Owner,
  password: string,
): Promise<void> {
  const { password_hash } = await ofAccount(db, owner.account_id)
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', owner.user_id)
    .executeTakeFirstOrThrow()
  if (!(await isPassword(password_hash, password))) throw new Invalid({ current_password: ['is invalid'] })
}

/** Stores another hash; sessions stay. */
export function savePassword({ db }: Change, { account_id, user_id }: Owner, password_hash: string) {
  // Writes users, too: signing in owns the columns of passwords and of verified addresses.
  return ofAccount(db, account_id)
    .updateTable('users')
    .set({ password_hash, updated_at: new Date().toISOString() })
    .where('id', '=', user_id)
    .returning(['email', 'disabled_at', 'archived_at'])
    .executeTakeFirstOrThrow()
}

/** Ends all sessions of a user, or all but one. Returns their ids: the caller closes their sockets after the commit. */
export async function endSessions(
  { db }: Pick<Change, 'db'>,
  { account_id, user_id }: Owner,
  but?: string,
): Promise<string[]> {
  const ended = await ofAccount(db, account_id)
    .deleteFrom('auth_sessions')
    .where('user_id', '=', user_id)
    .$if(!!but, (query) => query.where('id', '!=', but!))
    .returning('id')
    .execute()
  return ended.map(({ id }) => id)
}
