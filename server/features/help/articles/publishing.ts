import { sql } from 'kysely'
import type { Article } from '#contract/help/articles.ts'
import type { Context } from '../../../context.ts'
import { Invalid, NotFound, Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { touchHelpCenter } from '../help-center/help-center.ts'
import { setPublicFiles } from './article-files.ts'
import { announceArticle, findTranslation, lockArticle, outdated } from './drafts.ts'
import { type Addresses, readArticleRow } from './presenting.ts'
import type { RenderedArticle } from './rendered-article.ts'
import { renderBody } from './rendering.ts'
import { pruneRevisions } from './revisions.ts'

/** One language of an article. */
export interface Which {
  id: string
  language: string
}

/**
 * Publishes the draft of one language. It is rendered before the transaction; if the draft changes meanwhile, again.
 * @throws Refusal 409 if the draft is not the version that the author has seen
 */
export async function publishDraft(
  context: Pick<Context, 'db' | 'change' | 'config' | 'workers' | 'log'>,
  caller: User,
  { id, language, version }: Which & { version?: number | undefined },
): Promise<Article> {
  const { account_id } = caller
  const draft = await findTranslation(context.db, account_id, id, language)
  if (!draft) throw new NotFound()
  if (!draft.title.trim()) throw new Invalid({ title: ["can't be blank"] })
  if (!draft.body.trim()) throw new Invalid({ body: ["can't be blank"] })
  const rendered = await renderBody(context, account_id, draft.body, '/help/files/')
  return context.change(async (tx) => {
    await lockArticle(tx, account_id, id)
    const current = await findTranslation(tx.db, account_id, id, language)
    if (!current || current.version !== (version ?? draft.version) || current.version !== draft.version) {
      throw await outdated(tx.db, context.config, account_id, id, language)
    }
    await publish(tx, caller, { id, language }, { ...current, ...rendered })
    await recordAudit(tx, caller, { action: 'article.published', subject_id: id, subject_name: current.title })
    return announceArticle(tx, context.config, account_id, id)
  })
}

interface Published extends RenderedArticle {
  title: string
  summary: string
  body: string
  slug: string
  version: number
}

async function publish(
  tx: Change,
  { account_id, user_id }: User,
  { id, language }: Which,
  { title, summary, body, slug, version, html, text, file_ids }: Published,
): Promise<void> {
  const { archived_at } = await readArticleRow(tx.db, account_id, id)
  if (archived_at) throw new Unacceptable('This article is archived. Bring it back first.')
  const revision_id = newId()
  await tx.db
    .insertInto('article_revisions')
    .values({
      ...{ account_id, id: revision_id, article_id: id, language, title, summary, body, user_id },
      number: sql<number>`(select coalesce(max(r.number), 0) + 1 from article_revisions r
        where r.account_id = ${account_id} and r.article_id = ${id} and r.language = ${language})`,
    })
    .execute()
  await keepAddress(tx, account_id, { id, language }, slug)
  const page = { revision_id, version, slug, title, summary, html, text }
  await tx.db
    .insertInto('published_articles')
    .values({ account_id, article_id: id, language, ...page })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'article_id', 'language']).doUpdateSet({ ...page, published_at: sql`now()` }),
    )
    .execute()
  await setPublicFiles(tx.db, account_id, { id, language }, file_ids)
  await pruneRevisions(tx, account_id, { id, language })
  await touchHelpCenter(tx, account_id)
}

/** The address that readers have leads to the new one; an address that is used again leads nowhere else. */
async function keepAddress({ db }: Change, account_id: string, { id, language }: Which, slug: string): Promise<void> {
  await ofAccount(db, account_id)
    .deleteFrom('article_slugs')
    .where('language', '=', language)
    .where('slug', '=', slug)
    .execute()
  await sql`
    insert into article_slugs (account_id, language, slug, article_id)
    select account_id, language, slug, article_id from published_articles
    where account_id = ${account_id} and article_id = ${id} and language = ${language} and slug <> ${slug}
    on conflict (account_id, language, slug) do update set article_id = excluded.article_id`.execute(db)
}

/** Withdraws one language from readers; its address stays known, for when it is published again. */
export async function unpublish(tx: Change, addresses: Addresses, caller: User, key: Which): Promise<Article> {
  const { account_id } = caller
  const { id, language } = key
  await lockArticle(tx, account_id, id)
  const translation = await findTranslation(tx.db, account_id, id, language)
  if (!translation) throw new NotFound()
  await withdraw(tx, account_id, id, language)
  const audited = { action: 'article.unpublished', subject_id: id, subject_name: translation.title }
  await recordAudit(tx, caller, audited)
  return announceArticle(tx, addresses, account_id, id)
}

/** Ends the public pages of an article, of one language or of all. */
export async function withdraw(tx: Change, account_id: string, id: string, language?: string): Promise<void> {
  for (const table of ['published_articles', 'article_files'] as const) {
    await ofAccount(tx.db, account_id)
      .deleteFrom(table as 'article_files')
      .where('article_id', '=', id)
      .$if(language !== undefined, (query) => query.where('language', '=', language!))
      .$if(table === 'article_files', (query) => query.where('is_public', '=', true))
      .execute()
  }
  await touchHelpCenter(tx, account_id)
}
