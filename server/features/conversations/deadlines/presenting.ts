import type { ConversationRow } from '#contract/conversations/conversations.ts'
import type { Deadline, DeadlineNotice } from '#contract/conversations/deadlines.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { isWorking, type Schedules } from '../../widget/working-hours/schedules.ts'
import { type DeadlineRow, isOpen } from './timing.ts'

const LIMIT = 50

/** The deadlines of a conversation that some policy asked for, the newest first. */
export async function listDeadlines(db: Db, account_id: string, conversation_id: string): Promise<Deadline[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('deadlines')
    .selectAll()
    .where('conversation_id', '=', conversation_id)
    .where('target_seconds', 'is not', null)
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .limit(LIMIT)
    .execute()
  return rows.map(presentDeadline)
}

function presentDeadline(row: DeadlineRow): Deadline {
  const { id, conversation_id, kind, policy_id, policy_name, started_at, due_at, used_seconds } = row
  const { warned_at, broken_at, done_at, cancelled_at } = row
  return {
    id,
    object: 'deadline',
    ...{ conversation_id, kind, policy_id, policy_name, started_at, due_at, used_seconds },
    is_paused: isOpen(row) && row.resumed_at === null,
    ...{ warned_at, broken_at, done_at, cancelled_at },
  }
}

/** A deadline as in the events about it. */
export function presentNotice(
  row: DeadlineRow,
  { assignee_id, inbox_id }: Pick<ConversationRow, 'assignee_id' | 'inbox_id'>,
  schedules: Schedules,
  now: Date,
): DeadlineNotice {
  return { ...presentDeadline(row), assignee_id, is_working_time: isWorking(schedules, inbox_id, now) }
}
