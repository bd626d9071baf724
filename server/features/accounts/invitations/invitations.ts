import type { ExpressionBuilder } from 'kysely'
import { INVITATION_DAYS, type UserInvitation } from '#contract/accounts/invitations.ts'
import { hasSeat } from '#contract/accounts/plans.ts'
import type { Context } from '../../../context.ts'
import { Forbidden, NotFound, Refusal } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import type { Database } from '../../../platform/db/schema.ts'
import { hashToken, newId } from '../../../platform/secrets.ts'
import { planInUse } from '../accounts/accounts.ts'
import { countSeats } from '../users/users.ts'

const columns = [
  'user_invitations.id',
  'user_invitations.account_id',
  'user_invitations.email',
  'user_invitations.created_at',
  'expires_at',
] as const

const NO_SEAT =
  "You've hit the user limit for our free tier. Try the premium plan free for 14 days to invite more users to your account!"
const NO_SEAT_TO_JOIN =
  'Your account has reached the capacity for its current subscription plan. Please contact your admin to upgrade the account.'

/** Valid invitations, newest first. */
export function listInvitations(db: Db, account_id: string): Promise<UserInvitation[]> {
  return selectOpen(db)
    .select(columns)
    .where('user_invitations.account_id', '=', account_id)
    .where('expires_at', '>', new Date().toISOString())
    .orderBy('user_invitations.created_at', 'desc')
    .orderBy('user_invitations.id')
    .execute()
}

/** Unused invitations whose creator may still invite. */
function selectOpen(db: Db) {
  return acrossAccounts(db, 'who holds the secret is told whose it is')
    .selectFrom('user_invitations')
    .innerJoin('users', (join) =>
      join
        .onRef('users.account_id', '=', 'user_invitations.account_id')
        .onRef('users.id', '=', 'user_invitations.created_by'),
    )
    .where('used_at', 'is', null)
    .where('users.role', '=', 'admin')
    .where('users.disabled_at', 'is', null)
    .where('users.archived_at', 'is', null)
}

/** One invitation, by its id or, for clients of Papercups, by its token. */
export async function getInvitation(db: Db, account_id: string, id: string): Promise<UserInvitation> {
  const invitation = await ofAccount(db, account_id)
    .selectFrom('user_invitations')
    .select(columns)
    .where(isCalled(id))
    .executeTakeFirst()
  if (!invitation) throw new NotFound()
  return invitation
}

function isCalled(id: string) {
  return (eb: ExpressionBuilder<Database, 'user_invitations'>) =>
    eb.or([eb('user_invitations.id', '=', id), eb('token_hash', '=', hashToken(id))])
}

/**
 * Creates an invitation for one person. Only this result contains the token, which has the form of an id, because
 * clients of Papercups put the id into the link.
 * @throws Forbidden if the plan has no seat left
 */
export async function createInvitation(
  context: SeatLimits,
  { db }: Change,
  account_id: string,
  created_by: number,
  email: string | null = null,
): Promise<UserInvitation & { token: string }> {
  if (!(await isSeatLeft(context, db, account_id))) throw new Forbidden(NO_SEAT)
  const token = newId()
  const invitation = await db
    .insertInto('user_invitations')
    .values({
      account_id,
      id: newId(),
      email,
      created_by,
      expires_at: inDays(INVITATION_DAYS),
      token_hash: hashToken(token),
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return { ...invitation, token }
}

/** Changes the expiry of an invitation; without a date, to that of a new one. */
export async function updateInvitation(
  { db }: Change,
  account_id: string,
  id: string,
  expires_at: string | null | undefined,
): Promise<UserInvitation> {
  const invitation = await ofAccount(db, account_id)
    .updateTable('user_invitations')
    .set({ expires_at: expires_at ?? inDays(INVITATION_DAYS) })
    .where(isCalled(id))
    .returning(columns)
    .executeTakeFirst()
  if (!invitation) throw new NotFound()
  return invitation
}

/** Gives an unused invitation a new token, which only this result contains, and a new expiry. */
export async function renewInvitation(
  { db }: Change,
  account_id: string,
  id: string,
  created_by: number,
): Promise<UserInvitation & { token: string }> {
  const token = newId()
  const invitation = await ofAccount(db, account_id)
    .updateTable('user_invitations')
    .set({ token_hash: hashToken(token), expires_at: inDays(INVITATION_DAYS), created_by })
    .where(isCalled(id))
    .where('used_at', 'is', null)
    .returning(columns)
    .executeTakeFirst()
  if (!invitation) throw new NotFound()
  return { ...invitation, token }
}

export async function deleteInvitation({ db }: Change, account_id: string, id: string): Promise<null> {
  const invitation = await getInvitation(db, account_id, id)
  await ofAccount(db, account_id).deleteFrom('user_invitations').where('id', '=', invitation.id).execute()
  return null
}

/**
 * Uses an invitation up while locking its row, so that two people cannot share it. Returns its account.
 * @throws Forbidden if it was used, has expired, or its creator may no longer invite
 */
export async function acceptInvitation(context: SeatLimits, { db }: Change, token: string): Promise<string> {
  const invitation = assertUsable(await selectByToken(db, token).forUpdate('user_invitations').executeTakeFirst())
  await requireSeat(context, db, invitation.account_id)
  await ofAccount(db, invitation.account_id)
    .updateTable('user_invitations')
    .set({ used_at: new Date().toISOString() })
    .where('id', '=', invitation.id)
    .execute()
  return invitation.account_id
}

/**
 * The company of an invitation, shown before somebody fills in the form. Does not use it up.
 * @throws Refusal with the reason for which `acceptInvitation` would refuse
 */
export async function checkInvitation(context: Context, token: string): Promise<{ company_name: string }> {
  const { account_id } = assertUsable(await selectByToken(context.db, token).executeTakeFirst())
  const account = await context.db
    .selectFrom('accounts')
    .select(['company_name', 'subscription_plan'])
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  const plan = planInUse(context.config, account.subscription_plan)
  if (!hasSeat(plan, await countSeats(context.db, account_id))) throw new Refusal(403, NO_SEAT_TO_JOIN, 'no_seat')
  return { company_name: account.company_name }
}

function selectByToken(db: Db, token: string) {
  return selectOpen(db)
    .select(['user_invitations.account_id', 'user_invitations.id', 'expires_at'])
    .where('token_hash', '=', hashToken(token.trim().toLowerCase()))
}

function assertUsable<Row extends { expires_at: string }>(invitation: Row | undefined): Row {
  if (!invitation) throw new Refusal(403, 'Invalid invitation token', 'invalid_invitation')
  if (Date.parse(invitation.expires_at) < Date.now()) {
    throw new Refusal(403, 'Invitation token has expired', 'expired_invitation')
  }
  return invitation
}

/** Tells whether plans apply: without billing they do not. */
type SeatLimits = Pick<Context, 'config'>

/**
 * Makes sure that the plan has a seat for a new member.
 * @throws Refusal with the reason `no_seat`
 */
export async function requireSeat(context: SeatLimits, db: Change['db'], account_id: string): Promise<void> {
  if (!(await isSeatLeft(context, db, account_id))) throw new Refusal(403, NO_SEAT_TO_JOIN, 'no_seat')
}

/** Locks the account's row, so that two people cannot take the last seat at once. */
async function isSeatLeft({ config }: SeatLimits, db: Change['db'], account_id: string): Promise<boolean> {
  const { subscription_plan } = await db
    .selectFrom('accounts')
    .select('subscription_plan')
    .where('id', '=', account_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return hasSeat(planInUse(config, subscription_plan), await countSeats(db, account_id))
}

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString()
}
