import type { ArticleHit } from '#contract/help/public-articles.ts'
import type { Context } from '../../../context.ts'
import { excerptOf } from '../../conversations/search/excerpts.ts'
import { urlOfArticle, urlOfCenter } from '../help-center/addresses.ts'
import { nameOfCollection } from '../help-center/collection-names.ts'
import type { HelpCenterRow } from '../help-center/help-center.ts'
import { partsOf, termsOf } from './terms.ts'

interface ArticleMatch {
  article_id: string
  language: string
}

/** The found articles as readers see them, in their order: in the reader's language if they have it. */
export async function presentHits(
  { db, config }: Pick<Context, 'db' | 'config'>,
  center: HelpCenterRow,
  matches: ArticleMatch[],
  { q, language }: { q: string; language: string },
): Promise<ArticleHit[]> {
  if (matches.length === 0) return []
  const rows = await db
    .selectFrom('published_articles as p')
    .innerJoin('articles as a', (join) =>
      join.onRef('a.account_id', '=', 'p.account_id').onRef('a.id', '=', 'p.article_id'),
    )
    .leftJoin('article_collections as c', (join) =>
      join.onRef('c.account_id', '=', 'a.account_id').onRef('c.id', '=', 'a.collection_id'),
    )
    .select(['p.article_id', 'p.language', 'p.title', 'p.summary', 'p.text', 'p.slug', 'c.texts'])
    .where('p.account_id', '=', center.account_id)
    .where(
      'p.article_id',
      'in',
      matches.map(({ article_id }) => article_id),
    )
    .where('p.language', 'in', [...new Set([language, ...matches.map((candidate) => candidate.language)])])
    .execute()
  const parts = partsOf(termsOf(q))
  const center_url = urlOfCenter(config.baseUrl, center)
  return matches.flatMap(({ article_id, language: foundIn }) => {
    const ofArticle = rows.filter((row) => row.article_id === article_id)
    const row =
      ofArticle.find((candidate) => candidate.language === language) ??
      ofArticle.find((candidate) => candidate.language === foundIn)
    if (!row) return []
    return {
      id: article_id,
      object: 'article_hit' as const,
      language: row.language,
      title: row.title,
      summary: row.summary,
      collection: nameOfCollection(row.texts, row.language, center.default_language),
      excerpt: excerptOf(row.text.slice(0, 20_000), parts),
      url: urlOfArticle(center_url, row),
    }
  })
}
