import type { Config } from '../../../config.ts'
import { Refusal } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts } from '../../../platform/db/of-account.ts'
import { recordJoining } from '../audit/audit.ts'
import { acceptInvitation, requireSeat } from '../invitations/invitations.ts'
import { createUser, getUser } from '../users/users.ts'
import { assertEnabled, findUserByEmail } from './auth-sessions.ts'
import { claimAddress } from './credentials.ts'
import type { PersonClaims } from './oidc-provider.ts'
import { makeOneTimeToken } from './one-time-tokens.ts'
import { unknownPassword } from './passwords.ts'

interface Newcomer {
  /** The installation: where plans are sold, there may be no free seat. */
  config: Config
  claims: PersonClaims
  issuer: string
  invite_token: string | undefined
  /** The browser's IP address. */
  address: string
}

/**
 * Finds the user who returned from the sign-in service, or adds them: by an invitation, or because their domain is
 * allowed.
 * An existing user with a password is recognised by an address that the service has verified. If that address was never
 * confirmed here, the password may be somebody else's and becomes invalid.
 * @returns a token that the browser exchanges for a session, and the ended sessions
 * @throws Refusal with a reason for the sign-in page (`SIGN_IN_FAILURES`)
 */
export async function signInOrJoin(change: Change, newcomer: Newcomer): Promise<{ token: string; ended: string[] }> {
  const { claims, issuer } = newcomer
  const subject = claims.sub
  const existing = await acrossAccounts(change.db, 'the sign-in service names a person, and nothing else is known')
    .selectFrom('user_identities')
    .select(['account_id', 'user_id'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  const { ended = [], ...owner }: Owner = existing ?? (await findOrCreateOwner(change, newcomer))
  assertEnabled(await getUser(change.db, owner.account_id, owner.user_id))
  if (!existing)
    await change.db
      .insertInto('user_identities')
      .values({ ...owner, issuer, subject })
      .execute()
  return { token: await makeOneTimeToken(change, owner, 'sign_in'), ended }
}

interface Owner {
  account_id: string
  user_id: number
  /** Ended sessions, which may be somebody else's. */
  ended?: string[]
}

async function findOrCreateOwner(change: Change, { claims, invite_token, config, address }: Newcomer): Promise<Owner> {
  const email = typeof claims.email === 'string' ? claims.email.trim().toLowerCase() : ''
  // Amazon Cognito sends the word.
  if (!email || (claims.email_verified !== true && claims.email_verified !== 'true')) {
    throw new Refusal(403, 'The sign-in service has not confirmed your email address.', 'unconfirmed_email')
  }
  const user = await findUserByEmail(change.db, email)
  if (user) {
    const owner = { account_id: user.account_id, user_id: user.user_id }
    return { ...owner, ended: user.email_verified_at ? [] : await claimAddress(change, owner) }
  }
  const account_id = invite_token
    ? await acceptInvitation({ config }, change, invite_token)
    : await accountOfDomain(config, change, email)
  const full_name = typeof claims.name === 'string' ? claims.name.slice(0, 100) : null
  const password_hash = await unknownPassword()
  const { id } = await createUser(change, account_id, { email, password_hash, role: 'user', full_name })
  await recordJoining(change, { account_id, user_id: id, address }, email)
  return { account_id, user_id: id }
}

async function accountOfDomain(config: Config, { db }: Change, email: string): Promise<string> {
  const domain = email.split('@').at(-1)!
  const allowed = config.oidcDomains.find((entry) => entry.domain === domain)
  const account_id = allowed && (allowed.account_id ?? (await onlyAccount(db)))
  if (!account_id)
    throw new Refusal(403, 'You need an invitation to join. Ask your team admin for one.', 'invitation_needed')
  await requireSeat({ config }, db, account_id)
  return account_id
}

/** Undefined if several companies share the installation, because then a domain belongs to none of them. */
async function onlyAccount(db: Db): Promise<string | undefined> {
  const accounts = await db.selectFrom('accounts').select('id').limit(2).execute()
  return accounts.length === 1 ? accounts[0]?.id : undefined
}
