import { ACCESS_TOKEN_MINUTES, type Credentials, RENEW_TOKEN_DAYS } from '#contract/accounts/auth-sessions.ts'
import { Refusal } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { findTogether } from '../../../platform/db/load-together.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { deriveToken, hashToken, newId, newToken } from '../../../platform/secrets.ts'
import { assertNotSuspended, assertServed } from '../accounts/suspension.ts'

/** Prefix of session tokens, so that each kind of secret is looked up in one place only. */
export const ACCESS_PREFIX = 'pas_'
const RENEW_PREFIX = 'prn_'

/** Two tabs may renew at once, or a response may be lost; a stolen copy is used later than this. */
const REUSE_GRACE_SECONDS = 10

const DISABLED = 'Your account is disabled. Please contact your team admin to enable your account.'

export interface Device {
  user_agent: string | undefined
  address: string
}

interface SignedIn {
  account_id: string
  user_id: number
  email: string
}

/** The result of a refused renewal; when the token was a stolen copy, with the session that ended because of it. */
interface Refused {
  ended_session_id?: string
}

/**
 * Starts a session for somebody whose password or invitation was checked. Only this response contains the tokens.
 * @throws Refusal with the reason `suspended`
 */
export async function startSession({ db }: Change, user: SignedIn, device: Device): Promise<Credentials> {
  await assertNotSuspended(db, user.account_id)
  const { row, token, renew_token } = newTokens()
  await db
    .insertInto('auth_sessions')
    .values({
      account_id: user.account_id,
      id: newId(),
      user_id: user.user_id,
      user_agent: device.user_agent?.slice(0, 400),
      address: device.address,
      ...row,
    })
    .execute()
  return { ...user, token, renew_token }
}

/** The user with this e-mail and what is needed to authenticate them. E-mails are unique across accounts. */
export function findUserByEmail(db: Db, email: string) {
  return acrossAccounts(db, 'addresses are unique in the installation, and nothing else is known at sign-in')
    .selectFrom('users')
    .select([
      'account_id',
      'id as user_id',
      'email',
      'email_verified_at',
      'password_hash',
      'disabled_at',
      'archived_at',
    ])
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
}

/** @throws Refusal with the reason `disabled` */
export function assertEnabled(user: { disabled_at: string | null; archived_at: string | null }) {
  if (user.disabled_at || user.archived_at) throw new Refusal(401, DISABLED, 'disabled')
}

/** Sessions with their users and accounts. */
function selectSessions(db: Db) {
  return acrossAccounts(db, 'who holds the secret is told whose it is')
    .selectFrom('auth_sessions')
    .innerJoin('accounts', 'accounts.id', 'auth_sessions.account_id')
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'auth_sessions.account_id').onRef('users.id', '=', 'auth_sessions.user_id'),
    )
    .select([
      'auth_sessions.account_id',
      'auth_sessions.id as session_id',
      'auth_sessions.user_id',
      'users.role',
      'users.email',
      'users.disabled_at',
      'users.archived_at',
      'accounts.suspended_at',
    ])
}

/**
 * Exchanges a renew token for a new pair; the old pair is invalid at once. If the token was already exchanged with a
 * retry key, somebody has a copy: the whole session ends, for thief and owner alike. Exception: the same retry key is
 * sent again, and the new token was not used yet; then the response was lost and is repeated. Clients of Papercups
 * send no retry key and may renew with an old token from a timer; they are only refused.
 */
export async function renewSession(
  change: Change,
  renew_token: string,
  secretKey: string,
  retry_key?: string | null,
): Promise<Credentials | Refused> {
  const { db } = change
  const renew_hash = hashToken(renew_token)
  const next = retry_key ? deriveToken(RENEW_PREFIX, secretKey, renew_token, retry_key) : newToken(RENEW_PREFIX)
  const unspent = await lockSession(db, renew_hash)
  const session = unspent ?? (await lockSession(db, hashToken(next)))
  if (!session) return endSessionOfUsedToken(change, renew_hash)
  if (Date.parse(session.renew_expires_at) < Date.now()) return {}
  assertEnabled(session)
  assertServed(session)
  const { row, token } = newTokens(next)
  if (unspent) {
    await db
      .insertInto('spent_renew_tokens')
      .values({
        account_id: session.account_id,
        auth_session_id: session.session_id,
        renew_hash,
        had_retry_key: !!retry_key,
      })
      .execute()
  }
  await ofAccount(db, session.account_id)
    .updateTable('auth_sessions')
    .set({ ...row, renewed_at: new Date().toISOString() })
    .where('id', '=', session.session_id)
    .execute()
  const { account_id, user_id, email } = session
  return { account_id, user_id, email, token, renew_token: next }
}

function lockSession(db: Db, renew_hash: Buffer) {
  return selectSessions(db)
    .select(['auth_sessions.renew_expires_at'])
    .where('renew_hash', '=', renew_hash)
    .forUpdate('auth_sessions')
    .executeTakeFirst()
}

async function endSessionOfUsedToken({ db }: Change, renew_hash: Buffer): Promise<Refused> {
  const used = await acrossAccounts(db, 'who holds the secret is told whose it is')
    .selectFrom('spent_renew_tokens')
    .select(['account_id', 'auth_session_id', 'spent_at'])
    .where('renew_hash', '=', renew_hash)
    .where('had_retry_key', '=', true)
    .executeTakeFirst()
  if (!used || Date.now() - Date.parse(used.spent_at) < REUSE_GRACE_SECONDS * 1000) return {}
  await endSession(db, used.account_id, used.auth_session_id)
  return { ended_session_id: used.auth_session_id }
}

/** The session of an access token, even an expired one. */
export function findSessionToEnd(db: Db, token: string) {
  return acrossAccounts(db, 'who holds the secret is told whose it is')
    .selectFrom('auth_sessions')
    .select(['account_id', 'id as session_id'])
    .where('access_hash', '=', hashToken(token))
    .executeTakeFirst()
}

/** Ends a session: its tokens become invalid. */
export async function endSession(db: Db, account_id: string, id: string): Promise<void> {
  await ofAccount(db, account_id).deleteFrom('auth_sessions').where('id', '=', id).execute()
}

/** The holder of an access token, or undefined if it is unknown or expired. Throws for disabled users. */
export async function findSession(db: Db, token: string) {
  const session = await findByAccessHash(db, hashToken(token))
  if (!session) return undefined
  assertEnabled(session)
  assertServed(session)
  return session
}

/** Every request begins with this query. */
const findByAccessHash = findTogether(
  (db, hashes: Buffer[]) =>
    selectSessions(db)
      .select('access_hash')
      .where('access_hash', 'in', hashes)
      .where('access_expires_at', '>', new Date().toISOString())
      .execute(),
  ({ access_hash }) => access_hash,
)

/** Deletes expired sessions. */
export async function pruneExpiredSessions(db: Db): Promise<void> {
  await acrossAccounts(db, 'looks after all accounts at once')
    .deleteFrom('auth_sessions')
    .where('renew_expires_at', '<', new Date().toISOString())
    .execute()
}

function newTokens(renew_token = newToken(RENEW_PREFIX)) {
  const token = newToken(ACCESS_PREFIX)
  const row = {
    access_hash: hashToken(token),
    access_expires_at: new Date(Date.now() + ACCESS_TOKEN_MINUTES * 60_000).toISOString(),
    renew_hash: hashToken(renew_token),
    renew_expires_at: new Date(Date.now() + RENEW_TOKEN_DAYS * 86_400_000).toISOString(),
  }
  return { row, token, renew_token }
}
