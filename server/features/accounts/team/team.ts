import type { User } from '#contract/accounts/users.ts'
import type { Context } from '../../../context.ts'
import { BadRequest } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { requireSeat } from '../invitations/invitations.ts'
import { leaveTeams } from '../teams/saving.ts'
import { getUser, loadUsers, saveUser } from '../users/users.ts'

interface Filters {
  email?: string | undefined
  role?: User['role'] | undefined
  active?: boolean | undefined
  has_valid_email?: boolean | undefined
}

/** The team, oldest first, without disabled users; archived ones are included unless `active` is set. */
export async function listTeam(db: Db, account_id: string, filters: Filters): Promise<User[]> {
  const { email, role, active, has_valid_email } = filters
  const rows = await ofAccount(db, account_id)
    .selectFrom('users')
    .select('id')
    .where('disabled_at', 'is', null)
    .$if(!!active, (query) => query.where('archived_at', 'is', null))
    .$if(!!email, (query) => query.where('email', '=', email!.trim().toLowerCase()))
    .$if(!!role, (query) => query.where('role', '=', role!))
    .$if(has_valid_email !== undefined, (query) =>
      query.where('email_verified_at', has_valid_email ? 'is not' : 'is', null),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const users = await loadUsers(
    db,
    account_id,
    rows.map(({ id }) => id),
  )
  return rows.flatMap(({ id }) => users.get(id) ?? [])
}

/**
 * Disables a user's password and sessions; they leave their teams. The caller has to end the sessions.
 * @throws BadRequest for the only admin
 */
export async function disableUser(change: Change, account_id: string, id: number): Promise<User> {
  const user = await getUser(change.db, account_id, id)
  await ensureAdminRemains(change, account_id, id)
  await leaveTeams(change, account_id, id)
  return saveUser(change, account_id, id, { disabled_at: user.disabled_at ?? new Date().toISOString() })
}

/**
 * Enables a disabled user.
 * @throws Forbidden if the plan has no seat left
 */
export async function enableUser(
  context: Pick<Context, 'config'>,
  change: Change,
  account_id: string,
  id: number,
): Promise<User> {
  const { disabled_at, archived_at } = await getUser(change.db, account_id, id)
  if (disabled_at && !archived_at) await requireSeat(context, change.db, account_id)
  return saveUser(change, account_id, id, { disabled_at: null })
}

/**
 * Removes a user from all lists and teams for good. Their messages stay.
 * @throws BadRequest for the only admin
 */
export async function archiveUser(change: Change, account_id: string, id: number): Promise<User> {
  const user = await getUser(change.db, account_id, id)
  await ensureAdminRemains(change, account_id, id)
  await leaveTeams(change, account_id, id)
  return saveUser(change, account_id, id, { archived_at: user.archived_at ?? new Date().toISOString() })
}

/**
 * Makes a user an admin, or a member again.
 * @throws BadRequest for an unknown role, or if no admin would be left
 */
export async function setRole(change: Change, account_id: string, id: number, role: string): Promise<User> {
  if (role !== 'admin' && role !== 'user') throw new BadRequest("Role must be either 'user' or 'admin'")
  await getUser(change.db, account_id, id)
  if (role === 'user') await ensureAdminRemains(change, account_id, id)
  return saveUser(change, account_id, id, { role })
}

/**
 * Refuses to remove the account's last admin. Locks the admins' rows until the transaction ends, so that two of them
 * cannot demote or disable each other at once.
 */
async function ensureAdminRemains({ db }: Pick<Change, 'db'>, account_id: string, id: number): Promise<void> {
  const admins = await ofAccount(db, account_id)
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .where('archived_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (admins.length > 0 && admins.every((admin) => admin.id === id)) {
    throw new BadRequest('This is the only admin of the account. Make another user an admin first.')
  }
}
