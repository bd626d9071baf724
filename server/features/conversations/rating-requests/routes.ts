import { ratingRequests } from '#contract/conversations/rating-requests.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { describeRequest, rateByLink } from './answering.ts'
import { readToken } from './token.ts'

export function registerRatingRequestsRoutes(routes: Routes, { config, db, change }: Context) {
  routes.route(ratingRequests.get, async ({ params }) => ({
    data: await describeRequest(db, readToken(config.secretKey!, params.token, Date.now())),
  }))
  routes.route(ratingRequests.answer, async ({ params, body }) => {
    const rated = readToken(config.secretKey!, params.token, Date.now())
    await change((tx) => rateByLink(tx, rated, body.rating))
    return { data: { ok: true } }
  })
}
