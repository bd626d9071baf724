import type { z } from 'zod/mini'
import type { Credentials, Registration, UserInvitation } from '#contract/auth-sessions.ts'
import { Forbidden, Invalid } from '../../errors.ts'
import { type Change, isDuplicate } from '../../platform/db/change.ts'
import { newId } from '../../platform/secrets.ts'
import { createAccount } from '../accounts/accounts.ts'
import { createUser } from '../users/users.ts'
import { type Device, startSession } from './auth-sessions.ts'
import { hashPassword } from './passwords.ts'

const INVITATION_DAYS = 3

type Draft = z.output<typeof Registration>

/** Makes an invitation that lets one person join. */
export async function inviteUser(
  { db }: Change,
  account_id: string,
  created_by: number,
): Promise<z.output<typeof UserInvitation>> {
  return db
    .insertInto('user_invitations')
    .values({
      account_id,
      id: newId(),
      created_by,
      expires_at: new Date(Date.now() + INVITATION_DAYS * 86_400_000).toISOString(),
    })
    .returning(['id', 'account_id', 'expires_at'])
    .executeTakeFirstOrThrow()
}

/**
 * Opens an account with its first admin, or joins one as `user` by an unused invitation. Role and account come from
 * here alone, never from what the client sent.
 * @throws Invalid with the field; Forbidden with the invitation's fault
 */
export async function register(
  change: Change,
  draft: Draft,
  password_hash: string,
  device: Device,
): Promise<Credentials> {
  const invited = draft.invite_token ? await acceptInvitation(change, draft.invite_token) : undefined
  const account_id = invited ?? (await createAccount(change, companyName(draft)))
  try {
    const { id: user_id } = await createUser(change, account_id, {
      email: draft.email,
      password_hash,
      role: invited ? 'user' : 'admin',
    })
    return await startSession(change, { account_id, user_id, email: draft.email }, device)
  } catch (error) {
    if (isDuplicate(error, 'users_email')) throw new Invalid({ email: ['has already been taken'] })
    throw error
  }
}

/** The slow part, done before the transaction opens. */
export function preparePassword(draft: Draft): Promise<string> {
  return hashPassword(draft.password)
}

function companyName(draft: Draft): string {
  const name = draft.company_name?.trim()
  if (!name) throw new Invalid({ company_name: ["can't be blank"] })
  return name
}

/** Marks the invitation used while holding its row, so that two people cannot share it. */
async function acceptInvitation({ db }: Change, token: string): Promise<string> {
  const invitation = /^[0-9a-f-]{36}$/i.test(token)
    ? await db
        .selectFrom('user_invitations')
        .select(['account_id', 'id', 'expires_at', 'used_at'])
        .where('id', '=', token)
        .forUpdate()
        .executeTakeFirst()
    : undefined
  if (!invitation || invitation.used_at) throw new Forbidden('Invalid invitation token')
  if (Date.parse(invitation.expires_at) < Date.now()) throw new Forbidden('Invitation token has expired')
  await db
    .updateTable('user_invitations')
    .set({ used_at: new Date().toISOString() })
    .where('account_id', '=', invitation.account_id)
    .where('id', '=', invitation.id)
    .execute()
  return invitation.account_id
}
