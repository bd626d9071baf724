import { sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { isServed } from '../../accounts/accounts/suspension.ts'
import { type CollectionTexts, textsOfCollection } from '../help-center/collection-names.ts'
import type { HelpCenterRow } from '../help-center/help-center.ts'
import { inTreeOrder } from '../help-center/nesting.ts'

/** A published article without its text. */
export interface ListedArticle {
  article_id: string
  collection_id: string | null
  language: string
  slug: string
  title: string
  summary: string
  published_at: string
}

/** A collection in one language. */
export interface ShownCollection {
  id: string
  /** The collection around it. */
  parent_id: string | null
  slug: string
  icon: string
  name: string
  description: string
}

/** Articles that one help center lists in one language. */
const MAX_LISTED = 20_000

function selectListed(db: Db, account_id: string) {
  return db
    .selectFrom('published_articles as p')
    .innerJoin('articles as a', (join) =>
      join.onRef('a.account_id', '=', 'p.account_id').onRef('a.id', '=', 'p.article_id'),
    )
    .select(['p.article_id', 'a.collection_id', 'p.language', 'p.slug', 'p.title', 'p.summary', 'p.published_at'])
    .where('p.account_id', '=', account_id)
    .orderBy('a.position')
    .orderBy('a.created_at')
    .orderBy('a.id')
}

/**
 * The articles that readers of a language see, in their order: in that language, or in the default language where it is
 * missing. Of some collections, or of all.
 */
export async function listPublished(
  db: Db,
  { account_id, default_language }: HelpCenterRow,
  language: string,
  collection_ids?: string[],
): Promise<ListedArticle[]> {
  const rows = await selectListed(db, account_id)
    .where('p.language', 'in', [...new Set([language, default_language])])
    .$if(collection_ids !== undefined, (query) => query.where('a.collection_id', 'in', collection_ids!))
    .limit(MAX_LISTED)
    .execute()
  const translated = new Set(rows.filter((row) => row.language === language).map((row) => row.article_id))
  return rows.filter((row) => row.language === language || !translated.has(row.article_id))
}

/** All published articles in all languages, for the sitemap. */
export function listEverything(db: Db, account_id: string): Promise<ListedArticle[]> {
  return selectListed(db, account_id).orderBy('p.language').limit(50_000).execute()
}

/** The newest articles in a language, for the feed. */
export function listNewest(db: Db, account_id: string, language: string) {
  return ofAccount(db, account_id)
    .selectFrom('published_articles')
    .select(['article_id', 'language', 'slug', 'title', 'summary', 'first_published_at', 'published_at'])
    .where('language', '=', language)
    .orderBy('published_at', 'desc')
    .limit(30)
    .execute()
}

/** The collections of a help center with their texts in a language, each followed by those inside it. */
export async function listShownCollections(
  db: Db,
  { account_id, default_language }: HelpCenterRow,
  language: string,
): Promise<ShownCollection[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('article_collections')
    .select(['id', 'parent_id', 'slug', 'icon', 'texts'])
    .orderBy('position')
    .orderBy('id')
    .execute()
  return inTreeOrder(rows).map(({ texts, ...row }) => ({
    ...row,
    ...textsOfCollection(texts as unknown as CollectionTexts, language, default_language),
  }))
}

/** A published article in all of its languages. */
export function readArticle(db: Db, account_id: string, article_id: string) {
  return db
    .selectFrom('published_articles as p')
    .innerJoin('articles as a', (join) =>
      join.onRef('a.account_id', '=', 'p.account_id').onRef('a.id', '=', 'p.article_id'),
    )
    .select(['p.article_id', 'a.collection_id', 'p.language', 'p.slug', 'p.title', 'p.summary'])
    .select(['p.html', 'p.text', 'p.published_at', 'p.first_published_at'])
    .where('p.account_id', '=', account_id)
    .where('p.article_id', '=', article_id)
    .orderBy('p.language')
    .execute()
}

export type ShownArticle = Awaited<ReturnType<typeof readArticle>>[number]

/**
 * The article that an address means: one that is published there, one that was there before, or one that is there in
 * another language. `was` says that it was there, and nobody can read it now.
 */
export async function findBySlug(
  db: Db,
  account_id: string,
  language: string,
  slug: string,
): Promise<{ article_id: string } | { was: boolean }> {
  const published = await ofAccount(db, account_id)
    .selectFrom('published_articles')
    .select(['article_id', 'language'])
    .where('slug', '=', slug)
    .limit(100)
    .execute()
  const match = published.find((row) => row.language === language)
  if (match) return match
  const before = await ofAccount(db, account_id)
    .selectFrom('article_slugs')
    .select('article_id')
    .where('language', '=', language)
    .where('slug', '=', slug)
    .executeTakeFirst()
  if (before) return before
  const [elsewhere] = published
  if (elsewhere) return elsewhere
  const draft = await ofAccount(db, account_id)
    .selectFrom('article_revisions')
    .innerJoin('article_translations as t', (join) =>
      join
        .onRef('t.account_id', '=', 'article_revisions.account_id')
        .onRef('t.article_id', '=', 'article_revisions.article_id')
        .onRef('t.language', '=', 'article_revisions.language'),
    )
    .select('t.slug')
    .where('t.language', '=', language)
    .where('t.slug', '=', slug)
    .limit(1)
    .executeTakeFirst()
  return { was: !!draft }
}

/** The help centers that search engines find on the installation's own host. */
export function listIndexedCenters(db: Db): Promise<{ slug: string }[]> {
  return acrossAccounts(db, 'the robots of search engines read all of them')
    .selectFrom('help_centers')
    .select('slug')
    .where('is_published', '=', true)
    .where('is_indexed', '=', true)
    .where('domain_verified_at', 'is', null)
    .where(isServed('help_centers.account_id'))
    .orderBy('slug')
    .limit(1_000)
    .execute()
}

/** A file that readers may load: of a published article, or the logo. Undefined for all others. */
export async function findPublicFile(db: Db, id: string) {
  return acrossAccounts(db, 'the address of a file names no account')
    .selectFrom('files')
    .select(['key', 'filename', 'content_type', 'size'])
    .where('id', '=', id)
    .where(
      sql<boolean>`exists (select from help_centers c where c.account_id = files.account_id and c.is_published
        and (c.logo_file_id = files.id or exists (select from article_files f
          where f.account_id = files.account_id and f.file_id = files.id and f.is_public)))`,
    )
    .where(isServed('files.account_id'))
    .executeTakeFirst()
}
