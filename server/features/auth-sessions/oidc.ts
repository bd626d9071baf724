import { randomBytes } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { Forbidden } from '../../errors.ts'
import type { Change } from '../../platform/db/change.ts'
import { noteJoining } from '../audit/audit.ts'
import { acceptInvitation, takeSeat } from '../invitations/invitations.ts'
import { createUser, getUser } from '../users/users.ts'
import { findUserByEmail, refuseDisabled } from './auth-sessions.ts'
import { makeOneTimeToken } from './one-time-tokens.ts'
import { hashPassword } from './passwords.ts'

interface Newcomer {
  claims: JWTPayload
  issuer: string
  invite_token: string | undefined
  /** E-mail domains whose people need no invitation. */
  domains: string[]
  /** Where their browser is. */
  address: string
}

/**
 * Finds who came from the sign-in service, or lets them join: by an invitation, or because their domain is allowed.
 * Somebody who has a password here is recognised by an address that the service has checked.
 * @returns a token that the browser trades for a session
 * @throws Forbidden with a sentence for the sign-in page
 */
export async function welcome(change: Change, newcomer: Newcomer): Promise<string> {
  const { claims, issuer } = newcomer
  const subject = claims.sub!
  const known = await change.db
    .selectFrom('user_identities')
    .select(['account_id', 'user_id'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  const owner = known ?? (await recognise(change, newcomer))
  refuseDisabled(await getUser(change.db, owner.account_id, owner.user_id))
  if (!known)
    await change.db
      .insertInto('user_identities')
      .values({ ...owner, issuer, subject })
      .execute()
  return makeOneTimeToken(change, owner, 'sign_in')
}

interface Owner {
  account_id: string
  user_id: number
}

async function recognise(change: Change, { claims, invite_token, domains, address }: Newcomer): Promise<Owner> {
  const email = typeof claims.email === 'string' ? claims.email.trim().toLowerCase() : ''
  if (!email || claims.email_verified !== true) {
    throw new Forbidden('The sign-in service has not confirmed your email address.')
  }
  const user = await findUserByEmail(change.db, email)
  if (user) return { account_id: user.account_id, user_id: user.user_id }
  const account_id = invite_token
    ? await acceptInvitation(change, invite_token)
    : await accountOfDomain(change, email, domains)
  const full_name = typeof claims.name === 'string' ? claims.name.slice(0, 100) : null
  // Nobody knows this password; one can be set by the reset mail.
  const password_hash = await hashPassword(randomBytes(32).toString('base64url'))
  const { id } = await createUser(change, account_id, { email, password_hash, role: 'user', full_name })
  await noteJoining(change, { account_id, user_id: id, address }, email)
  return { account_id, user_id: id }
}

async function accountOfDomain({ db }: Change, email: string, domains: string[]): Promise<string> {
  const domain = email.split('@').at(-1)!
  const account = domains.includes(domain)
    ? await db.selectFrom('accounts').select('id').orderBy('created_at').orderBy('id').limit(1).executeTakeFirst()
    : undefined
  if (!account) throw new Forbidden('You need an invitation to join. Ask your team’s admin for one.')
  await takeSeat(db, account.id)
  return account.id
}
