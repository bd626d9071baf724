import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { ArticleHit } from '../help/public-articles.ts'
import { SavedReply } from './saved-replies.ts'
import { Excerpt } from './search.ts'

/** What may answer the question that waits in a conversation, best first. */
export const Suggestions = z.object({
  object: z.literal('suggestions'),
  saved_replies: z
    .array(z.extend(SavedReply, { excerpt: Excerpt.check(z.describe('The part of its text that fits best.')) }))
    .check(z.describe('Saved replies that share rare words with the question, at most three.')),
  articles: z
    .array(ArticleHit)
    .check(z.describe('Published articles of the help center that fit, at most three; empty if it is not published.')),
})
export type Suggestions = z.output<typeof Suggestions>

/** What may answer a conversation, found without a model. */
export const suggestions = {
  get: endpoint('user', 'GET', '/api/conversations/:id/suggestions', {
    summary:
      'Finds saved replies and articles for what the customer wrote since the team’s last answer. Nothing, while nobody waits.',
    answer: data(Suggestions),
  }),
}
