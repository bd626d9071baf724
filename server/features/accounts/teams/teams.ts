import type { Team, TeamMember } from '#contract/accounts/teams.ts'
import { NotFound } from '../../../errors.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

const columns = [
  'id',
  'account_id',
  'name',
  'assignment',
  'has_everybody',
  'open_limit',
  'return_after_minutes',
  'created_at',
  'updated_at',
] as const

/** All teams of an account by name, with members and inboxes. */
export async function listTeams(db: Db, account_id: string): Promise<Team[]> {
  const [rows, members, inboxes] = await Promise.all([
    ofAccount(db, account_id).selectFrom('teams').select(columns).orderBy('name').orderBy('id').execute(),
    ofAccount(db, account_id)
      .selectFrom('team_members')
      .select(['team_id', 'user_id', 'open_limit'])
      .orderBy('user_id')
      .execute(),
    ofAccount(db, account_id)
      .selectFrom('inboxes')
      .select(['id', 'team_id'])
      .where('team_id', 'is not', null)
      .orderBy('id')
      .execute(),
  ])
  const membersOf = Map.groupBy(members, ({ team_id }) => team_id)
  return rows.map((row) => ({
    ...row,
    object: 'team',
    members: (membersOf.get(row.id) ?? []).map(({ user_id, open_limit }): TeamMember => ({ user_id, open_limit })),
    inbox_ids: inboxes.filter(({ team_id }) => team_id === row.id).map(({ id }) => id),
  }))
}

/** @throws NotFound */
export async function getTeam(db: Db, account_id: string, id: string): Promise<Team> {
  // An account has few teams.
  const team = (await listTeams(db, account_id)).find((other) => other.id === id)
  if (!team) throw new NotFound()
  return team
}

/** Whether an account has this team. */
export async function hasTeam(db: Db, account_id: string, id: string): Promise<boolean> {
  const row = await ofAccount(db, account_id).selectFrom('teams').select('id').where('id', '=', id).executeTakeFirst()
  return !!row
}

/** Whether a user is in a team. */
export async function isMember(db: Db, account_id: string, team_id: string, user_id: number): Promise<boolean> {
  const { has_everybody, members } = await getTeam(db, account_id, team_id)
  return has_everybody || members.some((member) => member.user_id === user_id)
}
