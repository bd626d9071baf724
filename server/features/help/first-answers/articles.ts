import type { AnswerArticle } from '#contract/help/first-answers.ts'
import type { Context } from '../../../context.ts'
import { searchArticles } from '../article-search/search.ts'
import { readHelpCenter } from '../help-center/help-center.ts'

/** Articles that are read for one question. */
const MAX_ARTICLES = 6

/** The published articles that may answer a question, best first; none before the help centre is published. */
export async function findArticles(
  context: Context,
  account_id: string,
  question: string,
  language: string,
): Promise<AnswerArticle[]> {
  const center = await readHelpCenter(context.db, account_id)
  if (!center.is_published) return []
  const hits = await searchArticles(context, center, { q: question, language, limit: MAX_ARTICLES })
  return hits.map(({ id, language, title, url }) => ({ id, language, title, url }))
}
