import { sql } from 'kysely'
import {
  type ArticleCollection,
  type ArticleCollectionDraft,
  articleCollectionsUpdated,
  MAX_COLLECTIONS,
} from '#contract/help/article-collections.ts'
import { Invalid, NotFound, Unacceptable } from '../../../errors.ts'
import { type Change, type Db, rethrowDuplicate } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { setPositions } from '../../../platform/db/positions.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'
import { lockAccount } from '../../accounts/accounts/accounts.ts'
import { readHelpCenter, touchHelpCenter } from '../help-center/help-center.ts'
import { inTreeOrder } from '../help-center/nesting.ts'
import { freeSlug, slugOf } from '../help-center/slug.ts'

function select(db: Db, account_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('article_collections')
    .select(['id', 'parent_id', 'slug', 'icon', 'texts', 'created_at', 'updated_at'])
    .select(
      sql<number>`(select count(*) from articles a where a.account_id = article_collections.account_id
        and a.collection_id = article_collections.id and a.archived_at is null)`.as('article_count'),
    )
    .$castTo<Omit<ArticleCollection, 'object'>>()
}

/** All collections of an account in their order, each followed by those inside it. */
export async function listCollections(db: Db, account_id: string): Promise<ArticleCollection[]> {
  const rows = await select(db, account_id).orderBy('position').orderBy('id').execute()
  return inTreeOrder(rows).map((row) => ({ ...row, object: 'article_collection' }))
}

async function getCollection(db: Db, account_id: string, id: string): Promise<ArticleCollection> {
  const row = await select(db, account_id).where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  return { ...row, object: 'article_collection' }
}

/** @throws Invalid for a collection that does not exist, or that would be nested deeper than one level */
function assertNesting(existing: ArticleCollection[], id: string | undefined, parent_id: string | null): void {
  if (parent_id === null) return
  const problem = nestingProblem(existing, id, parent_id)
  if (problem) throw new Invalid({ parent_id: [problem] })
}

function nestingProblem(existing: ArticleCollection[], id: string | undefined, parent_id: string): string | undefined {
  const parent = existing.find((collection) => collection.id === parent_id)
  if (!parent) return 'does not exist'
  if (parent_id === id) return 'is the collection itself'
  if (parent.parent_id !== null) return 'is inside another collection. Choose one that is not.'
  if (!existing.some((collection) => id && collection.parent_id === id)) return undefined
  return 'is not possible for a collection that contains others. Move these first.'
}

/** Creates a collection at the end of the list, or of the collection around it. @throws Invalid */
export async function createCollection(
  tx: Change,
  account_id: string,
  { texts, icon = '', slug, parent_id = null }: ArticleCollectionDraft,
): Promise<ArticleCollection> {
  await lockAccount(tx, account_id)
  const existing = await listCollections(tx.db, account_id)
  if (existing.length >= MAX_COLLECTIONS) {
    throw new Unacceptable(`There are already ${MAX_COLLECTIONS} collections. Delete one that nobody needs any more.`)
  }
  assertNesting(existing, undefined, parent_id)
  const id = newId()
  const { default_language } = await readHelpCenter(tx.db, account_id)
  const { name } = texts[default_language] ?? Object.values(texts)[0]!
  const suggested = freeSlug(slugOf(name, 'collection'), new Set(existing.map((collection) => collection.slug)))
  await tx.db
    .insertInto('article_collections')
    .values({
      ...{ account_id, id, parent_id, icon, slug: slug ?? suggested, texts: toJson(texts) },
      position: sql<number>`(select coalesce(max(c.position), 0) + 1 from article_collections c
        where c.account_id = ${account_id})`,
    })
    .execute()
    .catch(rethrowDuplicate('slug'))
  await announceCollections(tx, account_id, [id])
  return getCollection(tx.db, account_id, id)
}

/** Changes a collection; `texts` replaces all of its texts. @throws Invalid */
export async function updateCollection(
  tx: Change,
  account_id: string,
  id: string,
  { texts, ...changes }: Partial<ArticleCollectionDraft>,
): Promise<ArticleCollection> {
  await lockAccount(tx, account_id)
  if (changes.parent_id !== undefined) {
    assertNesting(await listCollections(tx.db, account_id), id, changes.parent_id)
  }
  const { numUpdatedRows } = await ofAccount(tx.db, account_id)
    .updateTable('article_collections')
    .set({ ...changes, ...(texts && { texts: toJson(texts) }), updated_at: sql`now()` })
    .where('id', '=', id)
    .executeTakeFirst()
    .catch(rethrowDuplicate('slug'))
  if (!numUpdatedRows) throw new NotFound()
  await announceCollections(tx, account_id, [id])
  return getCollection(tx.db, account_id, id)
}

/** Puts collections in this order, each among those beside it, before those that are not named. */
export async function reorderCollections(tx: Change, account_id: string, ids: string[]): Promise<ArticleCollection[]> {
  await lockAccount(tx, account_id)
  const existing = (await listCollections(tx.db, account_id)).map(({ id }) => id)
  if (ids.some((id) => !existing.includes(id))) throw new Invalid({ ids: ['does not exist'] })
  const order = [...new Set([...ids, ...existing])]
  await setPositions(tx, 'article_collections', account_id, order)
  await announceCollections(tx, account_id, order)
  return listCollections(tx.db, account_id)
}

/** Deletes a collection; its articles stay without one, and collections inside it move to the top. */
export async function deleteCollection(tx: Change, account_id: string, id: string): Promise<null> {
  const { numDeletedRows } = await ofAccount(tx.db, account_id)
    .deleteFrom('article_collections')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!numDeletedRows) throw new NotFound()
  await announceCollections(tx, account_id, [id])
  return null
}

async function announceCollections(tx: Change, account_id: string, ids: string[]): Promise<void> {
  await touchHelpCenter(tx, account_id)
  tx.announce(account_id, articleCollectionsUpdated, { collections: { ids } })
}
