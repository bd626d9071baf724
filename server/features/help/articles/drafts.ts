import { sql } from 'kysely'
import type { Article, ArticleDraft, TranslationDraft } from '#contract/help/articles.ts'
import { articleUpdated, MAX_ARTICLES } from '#contract/help/articles.ts'
import { MAX_LANGUAGES } from '#contract/help/help-center.ts'
import { Invalid, NotFound, Refusal, Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'
import { lockAccount } from '../../accounts/accounts/accounts.ts'
import { freeSlug, slugOf } from '../help-center/slug.ts'
import { keepDraftFiles } from './article-files.ts'
import { type Addresses, getArticle, presentArticles, readArticleRow } from './presenting.ts'

type Author = Pick<User, 'account_id' | 'user_id'>

/**
 * Creates an article with the draft of its first language, at the end of its collection. Its address is made of the
 * title unless `slug` names one.
 */
export async function createArticle(
  tx: Change,
  addresses: Addresses,
  author: Author,
  { language, collection_id = null, ...texts }: ArticleDraft,
  slug?: string,
): Promise<Article> {
  const { account_id, user_id } = author
  await lockAccount(tx, account_id)
  const { count } = await ofAccount(tx.db, account_id)
    .selectFrom('articles')
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  if (count >= MAX_ARTICLES) {
    throw new Unacceptable(`There are already ${MAX_ARTICLES} articles. Delete some that nobody needs any more.`)
  }
  const id = newId()
  const position = await nextPosition(tx.db, account_id, collection_id)
  await tx.db.insertInto('articles').values({ account_id, id, collection_id, position, author_id: user_id }).execute()
  await insertTranslation(tx, author, id, language, { ...texts, slug })
  return announceArticle(tx, addresses, account_id, id)
}

/** The position behind the last article of a collection. @throws Invalid for a collection of nobody or of others */
export async function nextPosition(db: Db, account_id: string, collection_id: string | null): Promise<number> {
  if (collection_id === null) return 0
  const collection = await ofAccount(db, account_id)
    .selectFrom('article_collections')
    .select('id')
    .where('id', '=', collection_id)
    .executeTakeFirst()
  if (!collection) throw new Invalid({ collection_id: ['does not exist'] })
  const { last } = await ofAccount(db, account_id)
    .selectFrom('articles')
    .select(sql<number>`coalesce(max(position), 0)`.as('last'))
    .where('collection_id', '=', collection_id)
    .executeTakeFirstOrThrow()
  return last + 1
}

/**
 * Saves the draft of one language, which may be a new one. Text that is the same already changes nothing.
 * @throws Refusal 409 with the current draft if it is not the version that its author has seen
 */
export async function saveDraft(
  tx: Change,
  addresses: Addresses,
  author: Author,
  { id, language, draft }: { id: string; language: string; draft: TranslationDraft },
): Promise<Article> {
  const { account_id, user_id } = author
  await lockArticle(tx, account_id, id)
  const before = await findTranslation(tx.db, account_id, id, language)
  if (!before) {
    if (draft.version) throw await outdated(tx.db, addresses, account_id, id, language)
    await insertTranslation(tx, author, id, language, draft)
    return announceArticle(tx, addresses, account_id, id)
  }
  if (draft.version !== undefined && draft.version !== before.version) {
    throw await outdated(tx.db, addresses, account_id, id, language)
  }
  const { title, summary, body } = draft
  const slug = await chooseSlug(tx.db, account_id, { id, language, title, draft, before })
  const isSame = title === before.title && summary === before.summary && body === before.body && slug === before.slug
  if (isSame) return getArticle(tx.db, addresses, account_id, id)
  await ofAccount(tx.db, account_id)
    .updateTable('article_translations')
    .set({ title, summary, body, slug, updated_by: user_id, version: before.version + 1, updated_at: sql`now()` })
    .set({ is_slug_chosen: draft.slug === undefined ? before.is_slug_chosen : true })
    .where('article_id', '=', id)
    .where('language', '=', language)
    .execute()
  await keepDraftFiles(tx.db, account_id, { id, language }, body)
  return announceArticle(tx, addresses, account_id, id)
}

/** The slug follows the title until the article is public or somebody chose one. */
async function chooseSlug(
  db: Db,
  account_id: string,
  { id, language, title, draft, before }: SlugChoice,
): Promise<string> {
  if (draft.slug !== undefined) {
    if (draft.slug === before.slug) return before.slug
    const taken = await takenSlugs(db, account_id, id, language, draft.slug)
    if (taken.has(draft.slug)) throw new Invalid({ slug: ['has already been taken'] })
    return draft.slug
  }
  if (before.is_slug_chosen || before.is_public || title === before.title) return before.slug
  return suggestSlug(db, account_id, id, language, title)
}

interface SlugChoice {
  id: string
  language: string
  title: string
  draft: TranslationDraft
  before: { title: string; slug: string; is_slug_chosen: boolean; is_public: boolean }
}

async function suggestSlug(db: Db, account_id: string, id: string, language: string, title: string): Promise<string> {
  const slug = slugOf(title, 'article')
  return freeSlug(slug, await takenSlugs(db, account_id, id, language, slug))
}

/** The slugs of other articles that are this one or begin with it: those of drafts and of public pages. */
async function takenSlugs(db: Db, account_id: string, id: string, language: string, slug: string) {
  const begins = sql<boolean>`(slug = ${slug} or starts_with(slug, ${`${slug}-`}))`
  const rows = await ofAccount(db, account_id)
    .selectFrom('article_translations')
    .select('slug')
    .where('language', '=', language)
    .where('article_id', '<>', id)
    .where(begins)
    .union(
      ofAccount(db, account_id)
        .selectFrom('published_articles')
        .select('slug')
        .where('language', '=', language)
        .where('article_id', '<>', id)
        .where(begins),
    )
    .execute()
  return new Set(rows.map((row) => row.slug))
}

async function insertTranslation(
  { db }: Change,
  { account_id, user_id }: Author,
  article_id: string,
  language: string,
  { title, summary, body, slug }: Omit<TranslationDraft, 'version'>,
): Promise<void> {
  const { count } = await ofAccount(db, account_id)
    .selectFrom('article_translations')
    .select(sql<number>`count(*)`.as('count'))
    .where('article_id', '=', article_id)
    .executeTakeFirstOrThrow()
  if (count >= MAX_LANGUAGES) throw new Unacceptable(`An article has at most ${MAX_LANGUAGES} languages.`)
  const taken = slug !== undefined && (await takenSlugs(db, account_id, article_id, language, slug)).has(slug)
  if (taken) throw new Invalid({ slug: ['has already been taken'] })
  await db
    .insertInto('article_translations')
    .values({
      account_id,
      article_id,
      language,
      title,
      summary,
      body,
      slug: slug ?? (await suggestSlug(db, account_id, article_id, language, title)),
      is_slug_chosen: slug !== undefined,
      updated_by: user_id,
    })
    .execute()
  await keepDraftFiles(db, account_id, { id: article_id, language }, body)
}

/** The draft of an article in one language, and whether there is a public page of it. */
export async function findTranslation(db: Db, account_id: string, article_id: string, language: string) {
  return db
    .selectFrom('article_translations as t')
    .select(['t.title', 't.summary', 't.body', 't.slug', 't.is_slug_chosen', 't.version'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('published_articles as p')
          .select('p.slug')
          .whereRef('p.account_id', '=', 't.account_id')
          .whereRef('p.article_id', '=', 't.article_id')
          .whereRef('p.language', '=', 't.language'),
      )
        .$castTo<boolean>()
        .as('is_public'),
    )
    .where('t.account_id', '=', account_id)
    .where('t.article_id', '=', article_id)
    .where('t.language', '=', language)
    .executeTakeFirst()
}

/** In turn with every other change of the article. @throws NotFound */
export async function lockArticle({ db }: Change, account_id: string, id: string): Promise<void> {
  const row = await ofAccount(db, account_id)
    .selectFrom('articles')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new NotFound()
}

/** The refusal for an author who has not seen the current draft, with that draft. */
export async function outdated(
  db: Db,
  addresses: Addresses,
  account_id: string,
  id: string,
  language: string,
): Promise<Refusal> {
  const { translations } = await getArticle(db, addresses, account_id, id)
  const current = translations.find((translation) => translation.language === language) ?? null
  return new Refusal(
    409,
    'Somebody else saved this article since you opened it. Compare both texts, then save again.',
    'outdated_draft',
    { body: { data: current } },
  )
}

/** Announces an article that changed, and returns it. */
export async function announceArticle(
  tx: Change,
  addresses: Addresses,
  account_id: string,
  id: string,
): Promise<Article> {
  await ofAccount(tx.db, account_id)
    .updateTable('articles')
    .set({ updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
  const [article] = await presentArticles(tx.db, addresses, account_id, [await readArticleRow(tx.db, account_id, id)])
  tx.announce(account_id, articleUpdated, { article: article! })
  return getArticle(tx.db, addresses, account_id, id)
}
