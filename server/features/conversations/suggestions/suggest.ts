import type { Suggestions } from '#contract/conversations/suggestions.ts'
import type { Context } from '../../../context.ts'
import { searchArticles } from '../../help/article-search/search.ts'
import { partsOf, termsOf } from '../../help/article-search/terms.ts'
import { readHelpCenter } from '../../help/help-center/help-center.ts'
import { getConversationRow } from '../conversations/conversations.ts'
import { listSavedReplies } from '../saved-replies/saved-replies.ts'
import { excerptOf } from '../search/excerpts.ts'
import { wordsOf } from '../search/terms.ts'
import { readQuestion } from './question.ts'
import { findSolved } from './solved.ts'
import { coverageOf, discountUnknown, type Weighed, weighTerms } from './weighing.ts'

/** Of each kind: an agent glances at them while reading. */
const MOST = 3
/** The least share of a question that a suggestion contains; less is chance. */
const MIN_COVERAGE = 0.3
/** A name that contains the question says more than a text that does. */
const NAME = 2

/**
 * Saved replies, articles and answers of closed conversations that may answer what a customer wrote since the team's last
 * answer, found by the rare words of their question.
 * @throws NotFound
 */
export async function suggest(context: Context, account_id: string, conversation_id: string): Promise<Suggestions> {
  const { db } = context
  const { customer_id } = await getConversationRow(db, account_id, conversation_id)
  const question = await readQuestion(db, account_id, conversation_id)
  const terms = termsOf(question)
  if (terms.length === 0) return { object: 'suggestions', saved_replies: [], articles: [], solved: [] }
  const weighed = await weighTerms(db, account_id, terms)
  const [saved_replies, articles, solved] = await Promise.all([
    suggestReplies(context, account_id, weighed),
    suggestArticles(context, account_id, question, weighed),
    findSolved(db, account_id, { conversation_id, customer_id, terms: weighed }, MOST),
  ])
  return { object: 'suggestions', saved_replies, articles, solved }
}

/** There are some hundreds of saved replies at most, so they are compared here and not in the database. */
async function suggestReplies({ db }: Context, account_id: string, terms: Weighed[]) {
  const parts = partsOf(terms)
  const replies = (await listSavedReplies(db, account_id)).map((reply) => {
    const name = wordsOf(reply.name)
    return { reply, name, words: [...name, ...wordsOf(reply.content)] }
  })
  const weighed = discountUnknown(
    terms,
    replies.map(({ words }) => words),
  )
  return replies
    .map(({ reply, name, words }) => {
      const coverage = coverageOf(words, weighed)
      return { reply, coverage, score: coverage + NAME * coverageOf(name, weighed) }
    })
    .filter(({ coverage }) => coverage >= MIN_COVERAGE)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ reply }) => ({ ...reply, excerpt: excerptOf(reply.content, parts) }))
}

/** The search is made for readers, who choose; here only what contains enough of the question is shown. */
async function suggestArticles(context: Context, account_id: string, question: string, terms: Weighed[]) {
  const center = await readHelpCenter(context.db, account_id)
  if (!center.is_published) return []
  const hits = await searchArticles(context, center, { q: question, language: center.default_language, limit: MOST })
  const shown = hits.map((hit) => ({ hit, words: wordsOf(`${hit.title} ${hit.summary} ${hit.excerpt.text}`) }))
  const weighed = discountUnknown(
    terms,
    shown.map(({ words }) => words),
  )
  return shown.filter(({ words }) => coverageOf(words, weighed) >= MIN_COVERAGE).map(({ hit }) => hit)
}
