import { sql } from 'kysely'
import type { Article, ArticleSummary, ArticleTranslation, ArticleTranslationSummary } from '#contract/help/articles.ts'
import type { Config } from '../../../config.ts'
import { NotFound } from '../../../errors.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { urlOfArticle, urlOfCenter } from '../help-center/addresses.ts'
import { type HelpCenterRow, readHelpCenter } from '../help-center/help-center.ts'

export type Addresses = Pick<Config, 'baseUrl'>

type ArticleRow = Pick<
  ArticleSummary,
  'id' | 'collection_id' | 'author_id' | 'archived_at' | 'created_at' | 'updated_at'
>

export const articleColumns = ['id', 'collection_id', 'author_id', 'archived_at', 'created_at', 'updated_at'] as const

const summaryColumns = [
  't.article_id',
  't.language',
  't.title',
  't.summary',
  't.slug',
  't.version',
  't.updated_at',
  'p.slug as public_slug',
  'p.version as public_version',
  'p.published_at',
] as const

interface TranslationRow {
  article_id: string
  language: string
  title: string
  summary: string
  slug: string
  version: number
  updated_at: string
  public_slug: string | null
  public_version: number | null
  published_at: string | null
}

function selectTranslations(db: Db, account_id: string, article_ids: string[]) {
  return db
    .selectFrom('article_translations as t')
    .leftJoin('published_articles as p', (join) =>
      join
        .onRef('p.account_id', '=', 't.account_id')
        .onRef('p.article_id', '=', 't.article_id')
        .onRef('p.language', '=', 't.language'),
    )
    .select(summaryColumns)
    .where('t.account_id', '=', account_id)
    .where('t.article_id', 'in', article_ids)
    .orderBy('t.language')
}

function presentTranslation(center: HelpCenterRow, baseUrl: string, row: TranslationRow): ArticleTranslationSummary {
  const { language, title, summary, slug, updated_at, public_slug, public_version, published_at } = row
  const state = public_version === null ? 'draft' : public_version === row.version ? 'published' : 'changed'
  const isPublic = center.is_published && public_slug !== null
  const url = isPublic ? urlOfArticle(urlOfCenter(baseUrl, center), { language, slug: public_slug }) : null
  return { language, title, summary, slug, state, url, published_at, updated_at }
}

/** The default language of the help center first, then by tag. */
function inOrder<Translation extends { language: string }>(rows: Translation[], first: string): Translation[] {
  return [...rows.filter(({ language }) => language === first), ...rows.filter(({ language }) => language !== first)]
}

async function countVotes(db: Db, account_id: string, article_ids: string[]) {
  const rows = await ofAccount(db, account_id)
    .selectFrom('article_votes')
    .select(['article_id', sql<number>`count(*) filter (where is_helpful)`.as('helpful_count')])
    .select(sql<number>`count(*) filter (where not is_helpful)`.as('unhelpful_count'))
    .where('article_id', 'in', article_ids)
    .groupBy('article_id')
    .execute()
  return new Map(rows.map(({ article_id, ...counts }) => [article_id, counts]))
}

const NO_VOTES = { helpful_count: 0, unhelpful_count: 0 }

/** Articles for lists, with the summaries of their languages. */
export async function presentArticles(
  db: Db,
  { baseUrl }: Addresses,
  account_id: string,
  rows: ArticleRow[],
): Promise<ArticleSummary[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const center = await readHelpCenter(db, account_id)
  const translations = Map.groupBy(
    await selectTranslations(db, account_id, ids).execute(),
    ({ article_id }) => article_id,
  )
  const votes = await countVotes(db, account_id, ids)
  return rows.map((row) => ({
    ...row,
    object: 'article',
    translations: inOrder(translations.get(row.id) ?? [], center.default_language).map((translation) =>
      presentTranslation(center, baseUrl, translation),
    ),
    ...(votes.get(row.id) ?? NO_VOTES),
  }))
}

/** The row of an article. @throws NotFound */
export async function readArticleRow(db: Db, account_id: string, id: string): Promise<ArticleRow> {
  const row = await ofAccount(db, account_id)
    .selectFrom('articles')
    .select(articleColumns)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new NotFound()
  return row
}

/** An article for its author, with the drafts of all its languages. @throws NotFound */
export async function getArticle(db: Db, { baseUrl }: Addresses, account_id: string, id: string): Promise<Article> {
  const row = await readArticleRow(db, account_id, id)
  const center = await readHelpCenter(db, account_id)
  const rows = await selectTranslations(db, account_id, [id]).select(['t.body', 't.updated_by']).execute()
  const votes = await countVotes(db, account_id, [id])
  const translations = rows.map(
    ({ body, updated_by, ...translation }): ArticleTranslation => ({
      ...presentTranslation(center, baseUrl, translation),
      body,
      version: translation.version,
      updated_by,
    }),
  )
  return {
    ...row,
    object: 'article',
    translations: inOrder(translations, center.default_language),
    ...(votes.get(id) ?? NO_VOTES),
  }
}
