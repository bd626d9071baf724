import { type Assignment, conversationAssigned } from '#contract/conversations/assignments.ts'
import type { ConversationRow } from '#contract/conversations/conversations.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'

const columns = [
  'id',
  'conversation_id',
  'user_id',
  'from_user_id',
  'by_user_id',
  'reason',
  'open_count',
  'open_limit',
  'created_at',
] as const

const LISTED = 50

/** Why an assignment was made; the numbers are those of an automatic one. */
export type AssignmentCause = Pick<Assignment, 'reason'> &
  Partial<Pick<Assignment, 'by_user_id' | 'open_count' | 'open_limit'>>

/**
 * Records that a conversation was given to somebody, or to nobody, and announces it.
 * @param before the conversation as it was
 */
export async function recordAssignment(
  change: Change,
  before: Pick<ConversationRow, 'account_id' | 'id' | 'assignee_id'>,
  user_id: number | null,
  cause: AssignmentCause,
): Promise<void> {
  const { account_id, id: conversation_id, assignee_id: from_user_id } = before
  const row = await change.db
    .insertInto('conversation_assignments')
    .values({ account_id, id: newId(), conversation_id, user_id, from_user_id, ...cause })
    .returning(columns)
    .executeTakeFirstOrThrow()
  change.announce(account_id, conversationAssigned, { assignment: { ...row, object: 'assignment' } })
}

/** To whom a conversation was given and why, newest first. */
export async function listAssignments(db: Db, account_id: string, conversation_id: string): Promise<Assignment[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('conversation_assignments')
    .select(columns)
    .where('conversation_id', '=', conversation_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LISTED)
    .execute()
  return rows.map((row) => ({ ...row, object: 'assignment' }))
}
