import type { FollowUp, Snooze } from '#contract/conversations/conversations.ts'
import { Invalid } from '../../../errors.ts'
import type { Change } from '../../../platform/db/change.ts'
import { acrossAccounts } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { type ConversationDbRow, saveConversation } from './conversations.ts'

/** Values of the snooze columns of a conversation that is not snoozed, and of which no answer is awaited. */
export const AWAKE = { snoozed_at: null, snoozed_until: null, follow_up: null }

/**
 * Values for snoozing a conversation, or for waking it by null. A follow-up is for the user who snoozes it.
 * @throws Invalid if the time is past, or the conversation is closed
 */
export function snoozeChange(
  snoozed: Snooze | null,
  { status, user_id }: Pick<ConversationDbRow, 'status'> & { user_id: number | null },
) {
  if (!snoozed) return AWAKE
  if (status === 'closed') throw new Invalid({ snoozed: ['requires an open conversation'] })
  if (snoozed.until && Date.parse(snoozed.until) <= Date.now()) {
    throw new Invalid({ snoozed: ['must end in the future'] })
  }
  const now = new Date().toISOString()
  const isFollowUp = snoozed.follow_up && snoozed.until && user_id !== null
  return {
    snoozed_at: now,
    snoozed_until: snoozed.until,
    follow_up: isFollowUp ? toJson({ user_id, since: now } satisfies FollowUp) : null,
  }
}

const WAKE_BATCH = 200

/**
 * Wakes conversations that are due: they move to the top, unread, so that somebody notices. A follow-up stays, as the
 * reason. Runs every minute, in batches; a locked conversation is left for the next run.
 */
export async function wakeDueConversations(change: Change): Promise<number> {
  const due = await acrossAccounts(change.db, 'looks after all accounts at once')
    .selectFrom('conversations')
    .selectAll()
    .where('snoozed_until', '<=', new Date().toISOString())
    .where('archived_at', 'is', null)
    .orderBy('snoozed_until')
    .limit(WAKE_BATCH)
    .forUpdate()
    .skipLocked()
    .execute()
  for (const conversation of due) {
    await saveConversation(change, conversation, {
      snoozed_at: null,
      snoozed_until: null,
      read: false,
      last_activity_at: new Date().toISOString(),
    })
  }
  return due.length
}
