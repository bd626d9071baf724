import { sql } from 'kysely'
import { type ConversationChanges, conversationUpdated } from '#contract/conversations/conversations.ts'
import { Invalid } from '../../../errors.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { hasTeam, isMember } from '../../accounts/teams/teams.ts'
import { chooseInbox } from '../../widget/inboxes/inboxes.ts'
import { type ConversationDbRow, columns, presentConversationRow, type StoredConversation } from './conversations.ts'

/**
 * Team and assignee after a change of a conversation's team or inbox. If another inbox has a team, the conversation
 * belongs to that. Whoever is not in the new team loses the conversation, unless the change names an assignee.
 * @throws Invalid if the account has no such team or inbox
 */
export async function chooseTeam(
  { db }: Change,
  conversation: ConversationDbRow,
  { team_id, inbox_id, assignee_id }: ConversationChanges,
): Promise<Pick<ConversationChanges, 'team_id' | 'assignee_id'>> {
  const { account_id } = conversation
  const inbox = inbox_id ? await chooseInbox(db, account_id, inbox_id) : undefined
  if (inbox_id && !inbox) throw new Invalid({ inbox_id: ['does not exist'] })
  const isMoved = inbox_id !== conversation.inbox_id
  const next = team_id === undefined && isMoved ? (inbox?.team_id ?? undefined) : team_id
  if (!next || next === conversation.team_id) return { team_id: next, assignee_id }
  if (!(await hasTeam(db, account_id, next))) throw new Invalid({ team_id: ['does not exist'] })
  const { assignee_id: holder } = conversation
  const isKept = assignee_id !== undefined || holder === null || (await isMember(db, account_id, next, holder))
  return { team_id: next, assignee_id: isKept ? assignee_id : null }
}

/**
 * Takes some conversations out of a team.
 * @returns how many; fewer than `limit` if there are no more
 */
export async function leaveTeam(change: Change, account_id: string, team_id: string, limit: number): Promise<number> {
  const rows = await ofAccount(change.db, account_id)
    .selectFrom('conversations')
    .select('id')
    .where('team_id', '=', team_id)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  const updated = await ofAccount(change.db, account_id)
    .updateTable('conversations')
    .set({ team_id: null, version: sql<number>`version + 1`, updated_at: sql<string>`clock_timestamp()` })
    .where('id', 'in', ids)
    .returning(columns)
    .$castTo<StoredConversation>()
    .execute()
  for (const row of updated)
    change.announce(account_id, conversationUpdated, { conversation: presentConversationRow(row) })
  return rows.length
}
