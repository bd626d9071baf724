import { type ArticleSummary, articles } from '#contract/help/articles.ts'
import { type ArticleHit, articleSearch } from '#contract/help/public-articles.ts'
import { call } from '../../../platform/http/api.ts'

/** A published article, as far as a reply needs it. */
export type InsertableArticle = Pick<ArticleHit, 'id' | 'language' | 'title' | 'url'>

/** The published articles that fit a text best. */
export async function findArticles(q: string, limit: number, signal?: AbortSignal): Promise<InsertableArticle[]> {
  return (await call(articleSearch.find, { query: { q, limit }, ...(signal && { signal }) })).data
}

/** The published articles that were changed last. */
export async function listLatestArticles(limit: number, signal: AbortSignal): Promise<InsertableArticle[]> {
  return (await call(articles.list, { query: { limit }, signal })).data.flatMap(toInsertable)
}

function toInsertable({ id, translations }: ArticleSummary): InsertableArticle[] {
  const readable = translations.find(({ url }) => url !== null)
  return readable?.url ? [{ id, language: readable.language, title: readable.title, url: readable.url }] : []
}
