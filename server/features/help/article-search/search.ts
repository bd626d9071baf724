import type { ArticleHit } from '#contract/help/public-articles.ts'
import { MAX_ARTICLE_HITS } from '#contract/help/public-articles.ts'
import type { Context } from '../../../context.ts'
import type { HelpCenterRow } from '../help-center/help-center.ts'
import { presentHits } from './presenting.ts'
import { publishedArticles } from './published.ts'
import { type RankedArticle, rankArticles } from './ranking.ts'

/** A hit reaches this share of the best one. */
const MIN_SHARE = 0.25
/** What an article in another language than the reader's is worth. */
const DEFAULT_LANGUAGE = 0.6
const OTHER_LANGUAGE = 0.4

interface Search {
  q: string
  language: string
  limit?: number | undefined
}

/**
 * Published articles for a question, best first: those with its rare words, in titles above all, in the reader's
 * language first. Each article is found once.
 */
export async function searchArticles(
  context: Context,
  center: HelpCenterRow,
  { q, language, limit = 10 }: Search,
): Promise<ArticleHit[]> {
  const ranked = await rankArticles(context.db, publishedArticles(context, center), q)
  if (ranked.length === 0) return []
  const languages = { language, default_language: center.default_language }
  const best = bestOfEach(ranked, languages).slice(0, Math.min(limit, MAX_ARTICLE_HITS))
  return presentHits(context, center, best, { q, language })
}

/** Each article once, with its score in the language that fits the reader best. */
function bestOfEach(
  articles: RankedArticle[],
  { language, default_language }: { language: string; default_language: string },
): RankedArticle[] {
  const primary = (tag: string) => tag.split('-')[0]
  const factor = (tag: string) => {
    if (tag === language || primary(tag) === primary(language)) return 1
    return tag === default_language ? DEFAULT_LANGUAGE : OTHER_LANGUAGE
  }
  const best = new Map<string, RankedArticle>()
  for (const article of articles) {
    const score = article.score * factor(article.language)
    if ((best.get(article.article_id)?.score ?? 0) < score) best.set(article.article_id, { ...article, score })
  }
  const sorted = [...best.values()].sort((a, b) => b.score - a.score)
  const least = (sorted[0]?.score ?? 0) * MIN_SHARE
  return sorted.filter(({ score }) => score >= least)
}
