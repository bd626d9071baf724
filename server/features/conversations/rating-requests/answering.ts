import type { RatingRequest } from '#contract/conversations/rating-requests.ts'
import type { RatingDraft } from '#contract/conversations/ratings.ts'
import { NotFound } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { loadRatings, rateConversation } from '../conversations/rating.ts'
import { loadCompanyProfiles } from '../messages/for-customer.ts'
import type { Rated } from './token.ts'

/**
 * What the page behind a link shows.
 * @throws NotFound if the conversation was deleted
 */
export async function describeRequest(db: Db, { account_id, conversation_id }: Rated): Promise<RatingRequest> {
  const row = await selectRated(db, { account_id, conversation_id })
    .innerJoin('accounts', 'accounts.id', 'conversations.account_id')
    .select(['accounts.company_name', 'conversations.status'])
    .executeTakeFirst()
  if (!row) throw new NotFound()
  const profiles = await loadCompanyProfiles(db, account_id, [conversation_id])
  const [rating] = await loadRatings(db, account_id, [conversation_id])
  return {
    company: profiles.get(conversation_id)?.name ?? row.company_name,
    is_open: row.status === 'open' && !rating,
    score: rating?.score ?? null,
    comment: rating?.comment ?? null,
  }
}

/**
 * Rates the conversation of a link, which stands for the customer whose conversation it is now: customers
 * may be merged after the mail.
 * @throws NotFound if the conversation was deleted, Invalid while it is open again or a day after the first rating
 */
export async function rateByLink(
  tx: Change,
  { account_id, conversation_id }: Rated,
  draft: RatingDraft,
): Promise<void> {
  const row = await selectRated(tx.db, { account_id, conversation_id })
    .select('conversations.customer_id')
    .executeTakeFirst()
  if (!row) throw new NotFound()
  await rateConversation(tx, { account_id, customer_id: row.customer_id }, conversation_id, draft)
}

function selectRated(db: Db, { account_id, conversation_id }: Rated) {
  return ofAccount(db, account_id)
    .selectFrom('conversations')
    .where('conversations.id', '=', conversation_id)
    .where('conversations.archived_at', 'is', null)
}
