import type { z } from 'zod/mini'
import type { Mention } from '#contract/conversations.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { newId } from '../../platform/secrets.ts'
import type { MessageRow } from '../messages/messages.ts'
import { keepActiveUsers, loadUsers } from '../users/users.ts'

type MentionRecord = z.output<typeof Mention>

/** The mentions in several conversations, by conversation. */
export async function loadMentions(db: Db, account_id: string, conversation_ids: string[]) {
  if (conversation_ids.length === 0) return new Map<string, MentionRecord[]>()
  const rows = await db
    .selectFrom('mentions')
    .select(['id', 'account_id', 'conversation_id', 'message_id', 'user_id', 'seen_at', 'created_at'])
    .where('account_id', '=', account_id)
    .where('conversation_id', 'in', conversation_ids)
    .orderBy('created_at')
    .execute()
  const users = await loadUsers(
    db,
    account_id,
    rows.map((row) => row.user_id),
  )
  const mentions = rows.map(
    (row): MentionRecord => ({ ...row, object: 'mention', user: users.get(row.user_id) ?? null }),
  )
  return Map.groupBy(mentions, (mention) => mention.conversation_id)
}

/**
 * Stores who is mentioned in a message. People who left and people of other accounts are passed over, as is the author. The
 * conversation's row must be locked.
 * @returns the conversation's new list of users who have not looked yet, or nothing when nobody was mentioned
 */
export async function addMentions(
  { db }: Change,
  { unseen_mention_user_ids }: { unseen_mention_user_ids: number[] },
  message: MessageRow,
  user_ids: number[],
): Promise<{ unseen_mention_user_ids?: number[] }> {
  const { account_id, conversation_id } = message
  const mentioned = await keepActiveUsers(
    db,
    account_id,
    user_ids.filter((id) => id !== message.user_id),
  )
  if (mentioned.length === 0) return {}
  await db
    .insertInto('mentions')
    .values(mentioned.map((user_id) => ({ account_id, id: newId(), conversation_id, message_id: message.id, user_id })))
    .execute()
  return { unseen_mention_user_ids: [...new Set([...unseen_mention_user_ids, ...mentioned])].sort((a, b) => a - b) }
}

/** Marks one user's mentions in a conversation as looked at. */
export async function seeMentions({ db }: Change, account_id: string, conversation_id: string, user_id: number) {
  await db
    .updateTable('mentions')
    .set({ seen_at: new Date().toISOString() })
    .where('account_id', '=', account_id)
    .where('conversation_id', '=', conversation_id)
    .where('user_id', '=', user_id)
    .where('seen_at', 'is', null)
    .execute()
}
