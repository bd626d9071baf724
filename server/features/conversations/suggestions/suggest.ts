import type { SavedReply } from '#contract/conversations/saved-replies.ts'
import type { Suggestions } from '#contract/conversations/suggestions.ts'
import type { Context } from '../../../context.ts'
import { searchArticles } from '../../help/article-search/search.ts'
import { type QuestionTerm, termsOf } from '../../help/article-search/terms.ts'
import { readHelpCenter } from '../../help/help-center/help-center.ts'
import { getConversationRow } from '../conversations/conversations.ts'
import { listSavedReplies } from '../saved-replies/saved-replies.ts'
import { excerptOf } from '../search/excerpts.ts'
import { readQuestion } from './question.ts'
import { rankReplies } from './rank-replies.ts'

/** Of each kind: an agent glances at them while reading. */
const MOST = 3

/**
 * Saved replies and articles that may answer what a customer wrote since the team's last answer, found by the words of
 * their question.
 * @throws NotFound
 */
export async function suggest(context: Context, account_id: string, conversation_id: string): Promise<Suggestions> {
  const { db } = context
  await getConversationRow(db, account_id, conversation_id)
  const question = await readQuestion(db, account_id, conversation_id)
  const terms = termsOf(question)
  if (terms.length === 0) return { object: 'suggestions', saved_replies: [], articles: [] }
  const [replies, center] = await Promise.all([listSavedReplies(db, account_id), readHelpCenter(db, account_id)])
  const search = { q: question, language: center.default_language, limit: MOST }
  return {
    object: 'suggestions',
    saved_replies: rankReplies(replies, terms, MOST).map((reply) => withExcerpt(reply, terms)),
    articles: center.is_published ? await searchArticles(context, center, search) : [],
  }
}

function withExcerpt(reply: SavedReply, terms: QuestionTerm[]) {
  const parts = terms.map(({ words }) => ({ kind: 'word' as const, value: words.join(' '), start: 0, end: 0 }))
  return { ...reply, excerpt: excerptOf(reply.content, parts) }
}
