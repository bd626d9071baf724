import { type Team, type TeamChanges, type TeamDraft, teamDeleted, teamUpdated } from '#contract/accounts/teams.ts'
import { Invalid, NotFound } from '../../../errors.ts'
import { type Change, fieldChanges, rethrowDuplicate } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'
import { setInboxesOfTeam } from '../../widget/inboxes/inboxes.ts'
import { lockAccount } from '../accounts/accounts.ts'
import { type Actor, recordAudit, recordChanges } from '../audit/audit.ts'
import { filterActiveUsers } from '../users/users.ts'
import { getTeam } from './teams.ts'

/** Every handing-out locks all teams of its account, so there are not many. */
const MAX_TEAMS = 100

/**
 * Creates a team.
 * @throws Invalid with the field
 */
export async function createTeam(change: Change, actor: Actor, draft: TeamDraft): Promise<Team> {
  const { account_id } = actor
  const { members, inbox_ids, ...values } = draft
  await lockAccount(change, account_id)
  const { count } = await ofAccount(change.db, account_id)
    .selectFrom('teams')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= MAX_TEAMS) throw new Invalid({ name: [`cannot be added: there are ${MAX_TEAMS} teams already`] })
  const id = newId()
  await change.db
    .insertInto('teams')
    .values({ ...values, account_id, id })
    .execute()
    .catch(rethrowDuplicate('name'))
  const team = await saveParts(change, account_id, id, { members, inbox_ids })
  await recordAudit(change, actor, { action: 'team.created', subject_id: id, subject_name: team.name })
  return team
}

/**
 * Changes a team, its members and its inboxes.
 * @throws Invalid with the field, NotFound
 */
export async function updateTeam(change: Change, actor: Actor, id: string, changes: TeamChanges): Promise<Team> {
  const { account_id } = actor
  const { members, inbox_ids, ...values } = changes
  await lockTeam(change, account_id, id)
  const before = await getTeam(change.db, account_id, id)
  await ofAccount(change.db, account_id)
    .updateTable('teams')
    .set({ ...values, updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
    .catch(rethrowDuplicate('name'))
  const team = await saveParts(change, account_id, id, { members, inbox_ids })
  const { id: _, object, account_id: __, created_at, updated_at, ...fields } = team
  const audited = { action: 'team.updated', subject_id: id, subject_name: team.name }
  await recordChanges(change, actor, audited, fieldChanges(before, fields))
  return team
}

/** Locks a team until the transaction ends: no conversation joins it, and none is handed out. */
export async function lockTeam({ db }: Change, account_id: string, id: string): Promise<{ name: string }> {
  const row = await ofAccount(db, account_id)
    .selectFrom('teams')
    .select('name')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new NotFound()
  return row
}

/** Deletes a locked team without conversations. */
export async function deleteTeam(change: Change, account_id: string, id: string): Promise<void> {
  await setInboxesOfTeam(change, account_id, id, [])
  await ofAccount(change.db, account_id).deleteFrom('teams').where('id', '=', id).execute()
  change.announce(account_id, teamDeleted, { team_id: id })
}

/** Removes a user from all teams. */
export async function leaveTeams(change: Change, account_id: string, user_id: number): Promise<void> {
  const removed = await ofAccount(change.db, account_id)
    .deleteFrom('team_members')
    .where('user_id', '=', user_id)
    .returning('team_id')
    .execute()
  for (const { team_id } of removed) {
    change.announce(account_id, teamUpdated, { team: await getTeam(change.db, account_id, team_id) })
  }
}

async function saveParts(
  change: Change,
  account_id: string,
  id: string,
  { members, inbox_ids }: Pick<TeamChanges, 'members' | 'inbox_ids'>,
): Promise<Team> {
  if (members) await setMembers(change, account_id, id, members)
  if (inbox_ids) await setInboxesOfTeam(change, account_id, id, inbox_ids)
  const team = await getTeam(change.db, account_id, id)
  change.announce(account_id, teamUpdated, { team })
  return team
}

async function setMembers(
  { db }: Change,
  account_id: string,
  team_id: string,
  members: NonNullable<TeamDraft['members']>,
): Promise<void> {
  // If a user is listed twice, the last entry counts.
  const limits = new Map(members.map(({ user_id, open_limit = null }) => [user_id, open_limit]))
  const active = await filterActiveUsers(db, account_id, [...limits.keys()])
  if (active.length < limits.size) throw new Invalid({ members: ['do not exist'] })
  await ofAccount(db, account_id).deleteFrom('team_members').where('team_id', '=', team_id).execute()
  if (limits.size === 0) return
  const rows = [...limits].map(([user_id, open_limit]) => ({ account_id, team_id, user_id, open_limit }))
  await db.insertInto('team_members').values(rows).execute()
}
