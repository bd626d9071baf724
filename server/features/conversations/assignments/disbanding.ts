import type { User } from '../../../platform/caller.ts'
import type { MakeChange } from '../../../platform/db/change.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { deleteTeam, lockTeam } from '../../accounts/teams/saving.ts'
import { getTeam } from '../../accounts/teams/teams.ts'
import { leaveTeam } from '../conversations/team-of-conversation.ts'

const BATCH = 300

/**
 * Disbands a team. Its conversations leave it first, in batches, so that nobody who writes in one waits long; those that
 * joined meanwhile leave in the last change. If the server stops in between, repeating the call continues.
 * @throws NotFound
 */
export async function disbandTeam(change: MakeChange, caller: User, id: string): Promise<void> {
  const { account_id } = caller
  await change(({ db }) => getTeam(db, account_id, id))
  while ((await change((tx) => leaveTeam(tx, account_id, id, BATCH))) === BATCH);
  await change(async (tx) => {
    const { name } = await lockTeam(tx, account_id, id)
    while ((await leaveTeam(tx, account_id, id, BATCH)) === BATCH);
    await deleteTeam(tx, account_id, id)
    await recordAudit(tx, caller, { action: 'team.disbanded', subject_id: id, subject_name: name })
  })
}
