import type { z } from 'zod/mini'
import type { Mention } from '#contract/conversations/conversations.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'
import { loadUsers } from '../../accounts/users/users.ts'
import type { MessageRow } from '../messages/messages.ts'
import type { ConversationDbRow } from './conversations.ts'

type MentionRecord = z.output<typeof Mention>

/** The mentions in several conversations, by conversation. */
export async function loadMentions(db: Db, account_id: string, conversation_ids: string[]) {
  if (conversation_ids.length === 0) return new Map<string, MentionRecord[]>()
  const rows = await ofAccount(db, account_id)
    .selectFrom('mentions')
    .select(['id', 'account_id', 'conversation_id', 'message_id', 'user_id', 'seen_at', 'created_at'])
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

/** Stores the mentions of a message: only active users of the account. */
export async function addMentions({ db }: Change, message: MessageRow, user_ids: number[]): Promise<void> {
  if (user_ids.length === 0) return
  const { account_id, conversation_id } = message
  await db
    .insertInto('mentions')
    .values(user_ids.map((user_id) => ({ account_id, id: newId(), conversation_id, message_id: message.id, user_id })))
    .execute()
}

/** The unseen mentions of a locked conversation, with these users added. */
export function withMentions(
  { unseen_mention_user_ids }: Pick<ConversationDbRow, 'unseen_mention_user_ids'>,
  user_ids: number[],
) {
  if (user_ids.length === 0) return {}
  return { unseen_mention_user_ids: [...new Set([...unseen_mention_user_ids, ...user_ids])].sort((a, b) => a - b) }
}

/** Marks one user's mentions in a conversation as seen. */
export async function seeMentions({ db }: Change, account_id: string, conversation_id: string, user_id: number) {
  await ofAccount(db, account_id)
    .updateTable('mentions')
    .set({ seen_at: new Date().toISOString() })
    .where('conversation_id', '=', conversation_id)
    .where('user_id', '=', user_id)
    .where('seen_at', 'is', null)
    .execute()
}
