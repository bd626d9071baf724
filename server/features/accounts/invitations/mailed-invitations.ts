import type { UserInvitation } from '#contract/accounts/invitations.ts'
import type { Context } from '../../../context.ts'
import { Invalid, Refusal } from '../../../errors.ts'
import type { Change } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { consume } from '../../../platform/limits/limits.ts'
import { newId } from '../../../platform/secrets.ts'
import { writeMail } from '../../mail/mails/mails.ts'
import { languageOf } from '../users/user-settings.ts'
import { getUser } from '../users/users.ts'
import { assertVerified } from '../users/verified-address.ts'
import { createInvitation, renewInvitation } from './invitations.ts'
import { invitationMail } from './mail-templates.ts'

interface Inviter {
  account_id: string
  user_id: number
}

/**
 * Creates an invitation and mails its link.
 * @throws Invalid if the address already has an account, which the link could not change
 */
export async function mailInvitation(
  context: Context,
  change: Change,
  inviter: Inviter,
  to: string,
): Promise<UserInvitation> {
  await assertNotTaken(change, inviter.account_id, to)
  await dropOlder(change, inviter.account_id, to)
  const { token, ...invitation } = await createInvitation(context, change, inviter.account_id, inviter.user_id, to)
  await writeInvitation(context, change, inviter, to, token)
  return invitation
}

/**
 * Mails an invitation again. Only a hash of the token is stored, so the mail contains a new one and the old link stops
 * working.
 * @throws Refusal if it was created as a link, without an address
 */
export async function resendInvitation(
  context: Context,
  change: Change,
  inviter: Inviter,
  id: string,
): Promise<UserInvitation> {
  const { token, ...invitation } = await renewInvitation(change, inviter.account_id, id, inviter.user_id)
  if (!invitation.email) throw new Refusal(409, 'This invitation is a link without an e-mail address.', 'no_address')
  await assertNotTaken(change, inviter.account_id, invitation.email)
  await writeInvitation(context, change, inviter, invitation.email, token)
  return invitation
}

/** Mailed invitations of an account per day. */
const PER_ACCOUNT = { capacity: 50, perSecond: 50 / 86_400 }

/**
 * Makes sure that this user may mail an invitation now; called before the transaction.
 * @throws Refusal if nobody in the account has confirmed their address; TooMany
 */
export async function consumeInvitation(context: Context, inviter: Inviter): Promise<void> {
  await assertVerified(context, context.db, inviter.account_id)
  if (context.config.rateLimits) await consume(context.limits, `invitations:${inviter.account_id}`, PER_ACCOUNT)
}

/** An address invited again has one valid link only. */
function dropOlder({ db }: Change, account_id: string, email: string) {
  return ofAccount(db, account_id)
    .deleteFrom('user_invitations')
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .execute()
}

async function assertNotTaken({ db }: Change, account_id: string, email: string): Promise<void> {
  const user = await acrossAccounts(
    db,
    'addresses are unique in the installation, and nothing else is known of whoever is invited',
  )
    .selectFrom('users')
    .select('account_id')
    .where('email', '=', email)
    .executeTakeFirst()
  if (!user) return
  const errors = { to_address: ['has already been taken'] }
  if (user.account_id === account_id) throw new Invalid(errors, `${email} is already on your team.`, 'already_member')
  throw new Invalid(errors, `${email} already has an account.`, 'email_taken')
}

async function writeInvitation(
  context: Context,
  change: Change,
  { account_id, user_id }: Inviter,
  to: string,
  token: string,
): Promise<void> {
  const [inviter, language, { company_name }] = await Promise.all([
    getUser(change.db, account_id, user_id),
    languageOf(change.db, account_id, user_id),
    change.db.selectFrom('accounts').select('company_name').where('id', '=', account_id).executeTakeFirstOrThrow(),
  ])
  const href = `${context.config.baseUrl}/register/${token}?email=${encodeURIComponent(to)}`
  const name = inviter.display_name || inviter.full_name
  await writeMail(context, change, account_id, {
    id: newId(),
    kind: 'invitation',
    recipient: to,
    content: invitationMail(language, { name, company: company_name, href }),
    reply_to: inviter.email,
  })
}
