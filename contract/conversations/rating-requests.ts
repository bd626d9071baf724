import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { Ok, Text } from '../wire.ts'
import { RatingDraft } from './ratings.ts'

/** How long after closing a customer may be asked, in hours. */
export const RATING_REQUEST_HOURS = [1, 4, 24, 72] as const

/** What the page behind the link of a mail shows to the customer. */
export const RatingRequest = z.object({
  company: z.string().check(z.describe('The name of the company that asks.')),
  is_open: z.boolean().check(z.describe('The conversation goes on, so it is not rated yet.')),
  score: z.nullable(z.int32()).check(z.describe('The rating given before, from 1 to 5.')),
  comment: z.nullable(z.string()).check(z.describe('What the customer wrote with it.')),
})
export type RatingRequest = z.output<typeof RatingRequest>

const params = z.object({ token: Text(200).check(z.describe('From the link in the mail.')) })

/** Rating a closed conversation by the link of a mail that asks for it. */
export const ratingRequests = {
  get: endpoint('anyone', 'GET', '/api/rating_requests/:token', {
    session_only: true,
    summary: 'Returns what a customer is asked to rate. The token is in the mail that asks.',
    params,
    answer: data(RatingRequest),
    limit: 'sign-in',
  }),
  answer: endpoint('anyone', 'POST', '/api/rating_requests/:token', {
    session_only: true,
    summary: 'Rates the conversation of a mail. Within 24 hours, a new rating replaces it.',
    params,
    body: z.object({ rating: RatingDraft }),
    answer: data(Ok),
    limit: 'sign-in',
  }),
}
