import { sql } from 'kysely'
import type { Article, ArticleRevision, ArticleRevisionText } from '#contract/help/articles.ts'
import type { Context } from '../../../context.ts'
import { NotFound } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { saveDraft } from './drafts.ts'
import { type Addresses, readArticleRow } from './presenting.ts'
import { renderBody } from './rendering.ts'

const MAX_REVISIONS = 100

const columns = ['id', 'article_id', 'language', 'number', 'title', 'user_id', 'created_at'] as const

function selectRevisions(db: Db, account_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('article_revisions')
    .select(columns)
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('published_articles as p')
          .select('p.slug')
          .whereRef('p.account_id', '=', 'article_revisions.account_id')
          .whereRef('p.revision_id', '=', 'article_revisions.id'),
      )
        .$castTo<boolean>()
        .as('is_current'),
    )
}

/** What was published in one language, newest first. @throws NotFound */
export async function listRevisions(
  db: Db,
  account_id: string,
  { id, language }: { id: string; language: string },
): Promise<ArticleRevision[]> {
  await readArticleRow(db, account_id, id)
  const rows = await selectRevisions(db, account_id)
    .where('article_id', '=', id)
    .where('language', '=', language)
    .orderBy('number', 'desc')
    .limit(MAX_REVISIONS)
    .execute()
  return rows.map(({ article_id: _, ...row }) => ({ ...row, object: 'article_revision' }))
}

async function readRevision(db: Db, account_id: string, id: string) {
  const row = await selectRevisions(db, account_id).select(['summary', 'body']).where('id', '=', id).executeTakeFirst()
  if (!row) throw new NotFound()
  return row
}

/** A revision with its text, as its author wrote it and as readers saw it. @throws NotFound */
export async function getRevision(
  context: Pick<Context, 'db' | 'workers' | 'log'>,
  account_id: string,
  id: string,
): Promise<ArticleRevisionText> {
  const { article_id: _, ...row } = await readRevision(context.db, account_id, id)
  const { html } = await renderBody(context, account_id, row.body, '/files/')
  return { ...row, object: 'article_revision', html }
}

/** Makes a revision the draft of its language, whatever the draft is now; what is published stays. @throws NotFound */
export async function restoreRevision(tx: Change, addresses: Addresses, caller: User, id: string): Promise<Article> {
  const { article_id, language, title, summary, body } = await readRevision(tx.db, caller.account_id, id)
  return saveDraft(tx, addresses, caller, { id: article_id, language, draft: { title, summary, body } })
}

/** Keeps the newest hundred revisions of one language. */
export async function pruneRevisions(
  { db }: Change,
  account_id: string,
  { id, language }: { id: string; language: string },
): Promise<void> {
  await ofAccount(db, account_id)
    .deleteFrom('article_revisions')
    .where('article_id', '=', id)
    .where('language', '=', language)
    .where(
      'number',
      '<=',
      sql<number>`(select max(r.number) from article_revisions r
        where r.account_id = ${account_id} and r.article_id = ${id} and r.language = ${language}) - ${MAX_REVISIONS}`,
    )
    .execute()
}
