import type { ConversationChanges, ConversationRow } from '#contract/conversations.ts'
import { accessChanged } from '#contract/customers.ts'
import { Invalid, NotFound } from '../../errors.ts'
import type { Change } from '../../platform/db/change.ts'
import { requiresProof } from '../customers/unsigned-claims.ts'
import { getInboxIds } from '../inboxes/inboxes.ts'
import { filterActiveUsers } from '../users/users.ts'
import { lockConversation, NOT_CLOSED, saveConversation } from './conversations.ts'
import { seeMentions } from './mentions.ts'
import { readMessages } from './read-receipts.ts'
import { AWAKE, snoozeChange } from './snoozing.ts'

/**
 * Changes status, priority, assignee, inbox, read mark or archive state, snoozes and wakes. Assignee and inbox must
 * belong to the account. Who closes the conversation is recorded.
 */
export async function updateConversation(
  change: Change,
  account_id: string,
  id: string,
  { metadata, status, assignee_id, inbox_id, snoozed, ...plain }: ConversationChanges,
  user_id: number | null,
): Promise<ConversationRow> {
  const { db } = change
  const conversation = await lockConversation(db, account_id, id)
  if (!conversation) throw new NotFound()
  if (typeof assignee_id === 'number' && assignee_id !== conversation.assignee_id) {
    const [active] = await filterActiveUsers(db, account_id, [assignee_id])
    if (active === undefined) throw new Invalid({ assignee_id: ['does not exist'] })
  }
  if (inbox_id && !(await getInboxIds(db, account_id)).includes(inbox_id)) {
    throw new Invalid({ inbox_id: ['does not exist'] })
  }
  // The other inbox may require more of clients that listen.
  if (inbox_id && inbox_id !== conversation.inbox_id && (await requiresProof(db, account_id, inbox_id)))
    change.announce(account_id, accessChanged, { customer_id: conversation.customer_id })
  if (plain.read) await readMessages(change, conversation)
  return saveConversation(change, conversation, {
    ...plain,
    assignee_id,
    inbox_id,
    ...(metadata !== undefined && { metadata: metadata && JSON.stringify(metadata) }),
    ...(status && status !== conversation.status && statusChange(status, user_id)),
    ...(snoozed !== undefined && snoozeChange(snoozed, status ?? conversation.status)),
  })
}

function statusChange(status: ConversationRow['status'], user_id: number | null) {
  const now = new Date().toISOString()
  const closing = status === 'closed' ? { closed_at: now, closed_by_id: user_id } : NOT_CLOSED
  return { ...AWAKE, ...closing, status, last_activity_at: now }
}

/** Removes a conversation from every list. Nothing in it is lost. */
export async function archiveConversation(change: Change, account_id: string, id: string): Promise<ConversationRow> {
  const conversation = await lockConversation(change.db, account_id, id)
  if (!conversation) throw new NotFound()
  return saveConversation(change, conversation, {
    archived_at: conversation.archived_at ?? new Date().toISOString(),
  })
}

/** A user has opened a conversation: it is read for the team, and that user's mentions are seen. */
export async function readConversation(
  change: Change,
  account_id: string,
  id: string,
  user_id: number,
): Promise<ConversationRow> {
  const conversation = await lockConversation(change.db, account_id, id)
  if (!conversation) throw new NotFound()
  await readMessages(change, conversation)
  if (conversation.unseen_mention_user_ids.includes(user_id)) await seeMentions(change, account_id, id, user_id)
  return saveConversation(change, conversation, {
    read: true,
    unseen_mention_user_ids: conversation.unseen_mention_user_ids.filter((mentioned) => mentioned !== user_id),
  })
}
