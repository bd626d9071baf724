import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { maybe, Text, Timestamp } from '../wire.ts'

/** Hours in which customers can change their rating. */
export const RATING_HOURS = 24

/** From bad to good. */
export const SCORES = [1, 2, 3, 4, 5] as const

/** A customer's rating of a closed conversation, from 1 (bad) to 5 (good). */
export const Rating = z.object({
  id: z.string(),
  object: z.literal('rating'),
  conversation_id: z.string(),
  user_id: z.nullable(z.int32()).check(z.describe('The assignee at that time.')),
  score: z.int32().check(z.describe('From 1 to 5.')),
  comment: z.nullable(z.string()).check(z.describe('What the customer wrote.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Rating = z.output<typeof Rating>

/** A rating as its customer gives it. */
export const RatingDraft = z.object({
  score: z.int32().check(z.gte(1), z.lte(5)).check(z.describe('From 1 to 5.')),
  comment: maybe(Text(5000)).check(z.describe('What the customer wrote. If left out, an earlier comment stays.')),
})
export type RatingDraft = z.output<typeof RatingDraft>

/** A rating as its customer sees it. */
export const VisitorRating = z.pick(Rating, {
  id: true,
  object: true,
  conversation_id: true,
  user_id: true,
  score: true,
  comment: true,
  created_at: true,
  updated_at: true,
})
export type VisitorRating = z.output<typeof VisitorRating>

/** Also sent to the customer's other windows. */
export const conversationRated = defineEvent('conversation:rated', {
  receivers: 'team and customer',
  payload: { rating: Rating, customer_id: z.string() },
  sends: Rating,
  as: ({ rating }) => rating,
})

/** Ratings of closed conversations by customers. */
export const ratings = {
  rate: endpoint('visitor', 'POST', '/api/conversations/:id/rating', {
    summary: 'Rates a closed conversation of the caller. Within 24 hours, a new rating replaces it.',
    body: z.object({ rating: RatingDraft }),
    answer: data(VisitorRating),
    limit: 'message',
  }),
  get: endpoint('user', 'GET', '/api/conversations/:id/rating', {
    summary: 'Returns the rating of a conversation, or null.',
    answer: data(z.nullable(Rating)),
  }),
}
