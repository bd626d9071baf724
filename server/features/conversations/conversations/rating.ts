import { sql } from 'kysely'
import { conversationRated, RATING_HOURS, type Rating, type RatingDraft } from '#contract/conversations/ratings.ts'
import { Invalid, NotFound } from '../../../errors.ts'
import type { Visitor } from '../../../platform/caller.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'
import { lockConversation } from './conversations.ts'

const columns = ['id', 'conversation_id', 'user_id', 'score', 'comment', 'created_at', 'updated_at'] as const

/**
 * Stores a visitor's rating of an own closed conversation. It can be changed for a day, even if the conversation was
 * reopened meanwhile.
 * @throws NotFound for somebody else's conversation, Invalid while it is open or after that day
 */
export async function rateConversation(
  change: Change,
  { account_id, customer_id }: Pick<Visitor, 'account_id' | 'customer_id'>,
  conversation_id: string,
  { score, comment }: RatingDraft,
): Promise<Rating> {
  const conversation = await lockConversation(change.db, account_id, conversation_id)
  if (conversation?.customer_id !== customer_id || conversation.archived_at) throw new NotFound()
  const [earlier] = await loadRatings(change.db, account_id, [conversation_id])
  if (!earlier && conversation.status !== 'closed') throw new Invalid({ score: ['requires a closed conversation'] })
  if (earlier && Date.now() - Date.parse(earlier.created_at) > RATING_HOURS * 3_600_000) {
    throw new Invalid({ score: ['can no longer be changed'] })
  }
  const values = { score, ...(comment !== undefined && { comment: comment?.trim() || null }) }
  const row = await change.db
    .insertInto('conversation_ratings')
    .values({ account_id, id: newId(), conversation_id, user_id: conversation.assignee_id, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'conversation_id'])
        .doUpdateSet({ ...values, updated_at: sql<string>`clock_timestamp()` }),
    )
    .returning(columns)
    .executeTakeFirstOrThrow()
  const rating = { ...row, object: 'rating' as const }
  change.announce(account_id, conversationRated, { rating, customer_id })
  return rating
}

/** The ratings of several conversations; those without one are left out. */
export async function loadRatings(db: Db, account_id: string, conversation_ids: string[]): Promise<Rating[]> {
  if (conversation_ids.length === 0) return []
  const rows = await ofAccount(db, account_id)
    .selectFrom('conversation_ratings')
    .select(columns)
    .where('conversation_id', 'in', conversation_ids)
    .execute()
  return rows.map((row) => ({ ...row, object: 'rating' }))
}
