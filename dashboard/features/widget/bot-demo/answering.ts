import { articleSearch } from '#contract/help/public-articles.ts'
import { send } from '../../../platform/http/request.ts'
import type { Faq } from './faqs.ts'

/**
 * The pair that answers a question best: the server searches them as articles of a help center. Undefined if none
 * does. Throws ApiError.
 */
export async function findAnswer(faqs: readonly Faq[], question: string): Promise<Faq | undefined> {
  if (faqs.length === 0) return undefined
  const articles = faqs.map(({ id, question: title, answer: text }) => ({ id, title, text }))
  const { data } = await send(articleSearch.inSample, { body: { q: question, articles } })
  return faqs.find(({ id }) => id === data.article_ids[0])
}
