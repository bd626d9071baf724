import { isDeepStrictEqual } from 'node:util'
import type { ConversationChanges, ConversationRow } from '#contract/conversations/conversations.ts'
import type { AttributeValues } from '#contract/customers/attributes.ts'
import { accessChanged } from '#contract/customers/customers.ts'
import { Invalid, NotFound, Unacceptable } from '../../../errors.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { type Actor, recordAudit } from '../../accounts/audit/audit.ts'
import { filterActiveUsers } from '../../accounts/users/users.ts'
import { setAttributes } from '../../customers/attributes/values.ts'
import { requiresProof } from '../../customers/customers/unsigned-claims.ts'
import {
  type ConversationDbRow,
  lockConversation,
  NOT_CLOSED,
  presentLocked,
  saveConversation,
} from './conversations.ts'
import { seeMentions } from './mentions.ts'
import { readMessages } from './read-receipts.ts'
import { recordAssignment } from './record-assignment.ts'
import { AWAKE, snoozeChange } from './snoozing.ts'
import { chooseTeam } from './team-of-conversation.ts'

const STAYS_APART = 'This is a test conversation. It stays apart from the others.'

/**
 * Changes status, priority, assignee, team, inbox, read mark or archive state, snoozes and wakes. Assignee, team and
 * inbox must belong to the account. Who assigns, closes, deletes or restores the conversation is recorded.
 */
export async function updateConversation(
  change: Change,
  actor: Actor,
  id: string,
  changes: ConversationChanges,
): Promise<ConversationRow> {
  const { db } = change
  const { account_id, user_id } = actor
  const { metadata, status, assignee_id, team_id: _, inbox_id, snoozed, archived_at, ...plain } = changes
  const conversation = await lockConversation(db, account_id, id)
  if (!conversation) throw new NotFound()
  if (archived_at === null && conversation.source === 'sandbox') throw new Unacceptable(STAYS_APART)
  if (typeof assignee_id === 'number' && assignee_id !== conversation.assignee_id) {
    const [active] = await filterActiveUsers(db, account_id, [assignee_id])
    if (active === undefined) throw new Invalid({ assignee_id: ['does not exist'] })
  }
  const chosen = await chooseTeam(change, conversation, changes)
  // The other inbox may require more of clients that listen.
  if (inbox_id && inbox_id !== conversation.inbox_id && (await requiresProof(db, account_id, inbox_id)))
    change.announce(account_id, accessChanged, { customer_id: conversation.customer_id })
  if (plain.read) await readMessages(change, conversation)
  if (archived_at !== undefined) await recordDeletion(change, actor, conversation, archived_at !== null)
  const saved = await saveConversation(change, conversation, {
    ...plain,
    ...chosen,
    inbox_id,
    ...(metadata !== undefined && { metadata: metadata && toJson(metadata) }),
    ...(status && status !== conversation.status && statusChange(status, user_id)),
    ...(snoozed !== undefined && snoozeChange(snoozed, { status: status ?? conversation.status, user_id })),
    ...(archived_at !== undefined && { archived_at: archived_at && pastTime(archived_at) }),
    ...(isTakenByHand(conversation, actor, assignee_id) && { assistant: 'handed_over' as const }),
  })
  if (saved.assignee_id !== conversation.assignee_id) {
    await recordAssignment(change, conversation, saved.assignee_id, { reason: 'by_hand', by_user_id: user_id })
  }
  return saved
}

/** A person who gives it to somebody takes it from the assistant; a rule does not. */
function isTakenByHand(
  { assistant }: ConversationDbRow,
  { user_id }: Actor,
  assignee_id: number | null | undefined,
): boolean {
  return assistant === 'answering' && user_id !== null && typeof assignee_id === 'number'
}

/** Sets attributes of a conversation; other metadata stays. @throws NotFound; Invalid for values that do not fit */
export async function setConversationAttributes(
  change: Change,
  account_id: string,
  id: string,
  values: AttributeValues,
): Promise<ConversationRow> {
  const conversation = await lockConversation(change.db, account_id, id)
  if (!conversation) throw new NotFound()
  const before = (conversation.metadata ?? {}) as Record<string, unknown>
  const metadata = await setAttributes(change.db, account_id, 'conversation', before, values)
  if (isDeepStrictEqual(metadata, before)) return presentLocked(conversation)
  return saveConversation(change, conversation, { metadata: toJson(metadata) })
}

/** The clock of a browser may be wrong, and a deletion in the future would hide when it happened. */
function pastTime(time: string): string {
  return new Date(Math.min(Date.parse(time), Date.now())).toISOString()
}

/** Records who deletes or restores a conversation, unless it is in that state already. */
async function recordDeletion(change: Change, actor: Actor, conversation: ConversationDbRow, isDeleted: boolean) {
  if (isDeleted === (conversation.archived_at !== null)) return
  const action = isDeleted ? 'conversation.deleted' : 'conversation.restored'
  await recordAudit(change, actor, { action, subject_id: conversation.id, subject_name: conversation.subject })
}

function statusChange(status: ConversationRow['status'], user_id: number | null) {
  const now = new Date().toISOString()
  const closing = status === 'closed' ? { closed_at: now, closed_by_id: user_id } : NOT_CLOSED
  return { ...AWAKE, ...closing, status, last_activity_at: now }
}

/** Removes a conversation from every list, and records by whom. Nothing in it is lost. */
export async function archiveConversation(change: Change, actor: Actor, id: string): Promise<ConversationRow> {
  const conversation = await lockConversation(change.db, actor.account_id, id)
  if (!conversation) throw new NotFound()
  await recordDeletion(change, actor, conversation, true)
  return saveConversation(change, conversation, {
    archived_at: conversation.archived_at ?? new Date().toISOString(),
  })
}

/** Archives all conversations of a customer who is deleted, which is recorded of the customer. */
export async function archiveConversationsOf(change: Change, account_id: string, customer_id: string): Promise<void> {
  const rows = await ofAccount(change.db, account_id)
    .selectFrom('conversations')
    .select('id')
    .where('customer_id', '=', customer_id)
    .where('archived_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const { id } of rows) {
    const conversation = await lockConversation(change.db, account_id, id)
    if (conversation) await saveConversation(change, conversation, { archived_at: new Date().toISOString() })
  }
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
