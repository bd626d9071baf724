import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { ArticleHit } from '../help/public-articles.ts'
import { Timestamp } from '../wire.ts'
import { SavedReply } from './saved-replies.ts'
import { Excerpt } from './search.ts'

/** What the team answered to another customer who asked something similar. */
export const SolvedConversation = z.object({
  conversation_id: z.string().check(z.describe('The closed conversation.')),
  asked: Excerpt.check(z.describe('The sentence of that customer that fits best, without personal data.')),
  answer: z.string().check(z.describe('What the team answered then, without what could tell who that customer is.')),
  answered_at: Timestamp.check(z.describe('When the team answered it.')),
})
export type SolvedConversation = z.output<typeof SolvedConversation>

/** What may answer the question that waits in a conversation, best first. */
export const Suggestions = z.object({
  object: z.literal('suggestions'),
  saved_replies: z
    .array(z.extend(SavedReply, { excerpt: Excerpt.check(z.describe('The part of its text that fits best.')) }))
    .check(z.describe('Saved replies that share rare words with the question, at most three.')),
  articles: z
    .array(ArticleHit)
    .check(z.describe('Published articles of the help center that fit, at most three; empty if it is not published.')),
  solved: z
    .array(SolvedConversation)
    .check(z.describe('Answers of closed conversations in which somebody asked something similar, at most three.')),
})
export type Suggestions = z.output<typeof Suggestions>

/** What may answer a conversation, found without a model. */
export const suggestions = {
  get: endpoint('user', 'GET', '/api/conversations/:id/suggestions', {
    summary:
      'Finds saved replies, articles and answers of closed conversations for what the customer wrote since the team’s last answer. Nothing, while nobody waits.',
    answer: data(Suggestions),
  }),
}
