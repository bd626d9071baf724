import { sql } from 'kysely'
import type { z } from 'zod/mini'
import type { Credentials, Registration } from '#contract/accounts/auth-sessions.ts'
import type { Config } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { Forbidden, Invalid } from '../../../errors.ts'
import { type Change, type Db, isDuplicate } from '../../../platform/db/change.ts'
import { createAccount, hasAccounts } from '../accounts/accounts.ts'
import { recordJoining } from '../audit/audit.ts'
import { acceptInvitation } from '../invitations/invitations.ts'
import { createUser } from '../users/users.ts'
import { type Device, startSession } from './auth-sessions.ts'
import { mailVerification } from './credentials.ts'
import { hashPassword } from './passwords.ts'

type Draft = z.output<typeof Registration>

/**
 * Creates an account with its first admin, or joins one as `user` by an unused invitation. Role and account are decided
 * here, never by the client.
 * @throws EmailTaken; Invalid with the field; Refusal with the invitation's error
 */
export async function register(
  context: Context,
  change: Change,
  draft: Draft,
  password_hash: string,
  device: Device,
): Promise<Credentials> {
  if (!draft.invite_token) {
    // Of two companies that register at the same time, one is the first.
    if (context.config.registration === 'first')
      await sql`lock table accounts in share row exclusive mode`.execute(change.db)
    await assertMayRegister(change.db, context.config)
  }
  const invited = draft.invite_token ? await acceptInvitation(context, change, draft.invite_token) : undefined
  const account_id = invited ?? (await createAccount(change, companyName(draft), context.config))
  try {
    const { id: user_id } = await createUser(change, account_id, {
      email: draft.email,
      full_name: draft.full_name?.trim() || null,
      password_hash,
      role: invited ? 'user' : 'admin',
    })
    if (invited) await recordJoining(change, { account_id, user_id, address: device.address }, draft.email)
    await mailVerification(context, change, { account_id, user_id }, draft.email)
    return await startSession(change, { account_id, user_id, email: draft.email }, device)
  } catch (error) {
    throw isDuplicate(error, 'users_email') ? new EmailTaken() : error
  }
}

/**
 * Whether somebody without an invitation may register a company.
 * @throws Forbidden
 */
export async function assertMayRegister(db: Db, { registration }: Pick<Config, 'registration'>): Promise<void> {
  if (registration === 'open' || (registration === 'first' && !(await hasAccounts(db)))) return
  throw new Forbidden('An invitation token is required to register')
}

/** With Papercups' message, because its clients show nothing else. */
export class EmailTaken extends Invalid {
  constructor() {
    super({ email: ['has already been taken'] }, "Couldn't create user", 'email_taken')
  }
}

/** The slow part, done before the transaction begins. */
export function preparePassword(draft: Draft): Promise<string> {
  return hashPassword(draft.password)
}

function companyName(draft: Draft): string {
  const name = draft.company_name?.trim()
  if (!name) throw new Invalid({ company_name: ["can't be blank"] })
  return name
}
