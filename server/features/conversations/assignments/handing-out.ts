import type { Change, Db, MakeChange } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { noteTurn } from '../../accounts/availability/availability.ts'
import { type ConversationDbRow, lockConversation, saveConversation } from '../conversations/conversations.ts'
import { recordAssignment } from '../conversations/record-assignment.ts'
import { chooseMember, type HandingTeam } from './members.ts'

/** Gives waiting conversations to members who have time, oldest first, until none waits or nobody has time. */
export async function handOutAll(change: MakeChange, account_id: string): Promise<void> {
  while (await change((tx) => handOutNext(tx, account_id)));
}

/**
 * Gives one waiting conversation to a member of its team who has time. Of all servers, one at a time does so in an
 * account, so nobody gets more than their limit, and no conversation is given twice.
 * @returns whether there was one; call it again
 */
async function handOutNext(change: Change, account_id: string): Promise<boolean> {
  for (const team of await lockHandingTeams(change, account_id)) {
    const conversation_ids = await listWaiting(change.db, team)
    const member = conversation_ids.length > 0 ? await chooseMember(change.db, team) : undefined
    if (!member) continue
    for (const id of conversation_ids) {
      const conversation = await lockConversation(change.db, account_id, id)
      // A person may have taken, closed or moved it since it was read.
      if (!conversation || !isWaiting(conversation, team)) continue
      const open_count = member.open_count + 1
      await saveConversation(change, conversation, { assignee_id: member.user_id })
      await recordAssignment(change, conversation, member.user_id, {
        reason: team.assignment,
        open_count,
        open_limit: member.open_limit,
      })
      await noteTurn(change, account_id, member.user_id)
      return true
    }
    return true
  }
  return false
}

/**
 * Locks the teams of an account that hand out conversations, until the transaction ends. Others who do so wait; adding a
 * conversation to a team does not.
 */
export async function lockHandingTeams({ db }: Change, account_id: string): Promise<HandingTeam[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('teams')
    .select(['account_id', 'id', 'assignment'])
    .where('assignment', '<>', 'by_hand')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.flatMap(({ assignment, ...team }) => (assignment === 'by_hand' ? [] : [{ ...team, assignment }]))
}

/** Read without locks; if the first are taken meanwhile, the next are tried. */
const READ = 5

async function listWaiting(db: Db, { account_id, id }: HandingTeam): Promise<string[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('conversations')
    .select('id')
    .where('team_id', '=', id)
    .where('assignee_id', 'is', null)
    .where('status', '=', 'open')
    .where('snoozed_at', 'is', null)
    .where('archived_at', 'is', null)
    .where('assistant', 'is distinct from', 'answering')
    .orderBy('created_at')
    .orderBy('id')
    .limit(READ)
    .execute()
  return rows.map((row) => row.id)
}

function isWaiting(conversation: ConversationDbRow, team: HandingTeam): boolean {
  const { team_id, assignee_id, status, snoozed_at, archived_at, assistant } = conversation
  if (assistant === 'answering') return false
  return team_id === team.id && assignee_id === null && status === 'open' && !snoozed_at && !archived_at
}
