import { ratings, VisitorRating } from '#contract/conversations/ratings.ts'
import { visitorConversations } from '#contract/conversations/visitor-conversations.ts'
import type { Context } from '../../../context.ts'
import { pick } from '../../../pick.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { getConversationRow } from './conversations.ts'
import { listOwnConversations } from './own-conversations.ts'
import { loadRatings, rateConversation } from './rating.ts'

/** What visitors may do in their own conversations, and the team's reading of ratings. */
export function registerVisitorConversationsRoutes(routes: Routes, { db, change }: Context) {
  routes.route(visitorConversations.list, async ({ caller, query }) => ({
    data: await listOwnConversations(db, caller, query.inbox_id),
  }))
  routes.route(ratings.rate, async ({ caller, params, body }) => ({
    data: pick(VisitorRating, await change((tx) => rateConversation(tx, caller, params.id, body.rating))),
  }))
  routes.route(ratings.get, async ({ caller: { account_id }, params: { id } }) => {
    await getConversationRow(db, account_id, id)
    const [rating] = await loadRatings(db, account_id, [id])
    return { data: rating ?? null }
  })
}
