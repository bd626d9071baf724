import { sql } from 'kysely'
import type { Article } from '#contract/help/articles.ts'
import { articleDeleted } from '#contract/help/articles.ts'
import { Invalid, NotFound, Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { setPositions } from '../../../platform/db/positions.ts'
import { lockAccount } from '../../accounts/accounts/accounts.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { touchHelpCenter } from '../help-center/help-center.ts'
import { announceArticle, lockArticle, nextPosition } from './drafts.ts'
import { type Addresses, getArticle, readArticleRow } from './presenting.ts'
import { type Which, withdraw } from './publishing.ts'

interface Changes {
  collection_id?: string | null | undefined
  is_archived?: boolean | undefined
}

/** Moves an article to another collection, archives it, or brings it back as drafts. */
export async function updateArticle(
  tx: Change,
  addresses: Addresses,
  { account_id }: User,
  id: string,
  { collection_id, is_archived }: Changes,
): Promise<Article> {
  await lockAccount(tx, account_id)
  await lockArticle(tx, account_id, id)
  const before = await readArticleRow(tx.db, account_id, id)
  const articles = () => ofAccount(tx.db, account_id).updateTable('articles').where('id', '=', id)
  if (collection_id !== undefined && collection_id !== before.collection_id) {
    const position = await nextPosition(tx.db, account_id, collection_id)
    await articles().set({ collection_id, position }).execute()
    await touchHelpCenter(tx, account_id)
  }
  if (is_archived !== undefined && is_archived !== (before.archived_at !== null)) {
    await articles()
      .set({ archived_at: is_archived ? sql`now()` : null })
      .execute()
    if (is_archived) await withdraw(tx, account_id, id)
  }
  return announceArticle(tx, addresses, account_id, id)
}

/** Puts articles of a collection in this order, before those that are not named. */
export async function reorderArticles(
  tx: Change,
  { account_id }: User,
  collection_id: string,
  ids: string[],
): Promise<null> {
  await lockAccount(tx, account_id)
  const collection = await ofAccount(tx.db, account_id)
    .selectFrom('article_collections')
    .select('id')
    .where('id', '=', collection_id)
    .executeTakeFirst()
  if (!collection) throw new NotFound()
  const rows = await ofAccount(tx.db, account_id)
    .selectFrom('articles')
    .select('id')
    .where('collection_id', '=', collection_id)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const existing = rows.map(({ id }) => id)
  if (ids.some((id) => !existing.includes(id))) throw new Invalid({ ids: ['does not exist'] })
  await setPositions(tx, 'articles', account_id, [...new Set([...ids, ...existing])])
  await touchHelpCenter(tx, account_id)
  return null
}

/** Deletes an article for good, with all its languages, revisions and addresses. */
export async function deleteArticle(tx: Change, caller: User, id: string): Promise<null> {
  const { account_id } = caller
  await lockArticle(tx, account_id, id)
  const title = await ofAccount(tx.db, account_id)
    .selectFrom('article_translations')
    .select('title')
    .where('article_id', '=', id)
    .orderBy('updated_at')
    .executeTakeFirst()
  await ofAccount(tx.db, account_id).deleteFrom('articles').where('id', '=', id).execute()
  await touchHelpCenter(tx, account_id)
  const audited = { action: 'article.deleted', subject_id: id, subject_name: title?.title ?? null }
  await recordAudit(tx, caller, audited)
  tx.announce(account_id, articleDeleted, { article_id: id })
  return null
}

/** Deletes one language of an article. @throws Unacceptable for its last one */
export async function deleteTranslation(
  tx: Change,
  addresses: Addresses,
  { account_id }: User,
  { id, language }: Which,
): Promise<null> {
  await lockArticle(tx, account_id, id)
  const { translations } = await getArticle(tx.db, addresses, account_id, id)
  if (!translations.some((translation) => translation.language === language)) throw new NotFound()
  if (translations.length === 1) {
    throw new Unacceptable('This is the only language of the article. Delete the article instead.')
  }
  await ofAccount(tx.db, account_id)
    .deleteFrom('article_translations')
    .where('article_id', '=', id)
    .where('language', '=', language)
    .execute()
  await touchHelpCenter(tx, account_id)
  await announceArticle(tx, addresses, account_id, id)
  return null
}
