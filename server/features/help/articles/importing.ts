import * as z from 'zod/mini'
import { type ArticleImport, MAX_ARTICLE_LENGTH } from '#contract/help/articles.ts'
import { ArticleLanguage, Slug } from '#contract/help/help-center.ts'
import { isId } from '#contract/wire.ts'
import type { Context } from '../../../context.ts'
import { Refusal, Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { WorkerKilled, WorkFailed } from '../../../platform/workers/worker-errors.ts'
import { defineTask } from '../../../platform/workers/worker-task.ts'
import { readHelpCenter } from '../help-center/help-center.ts'
import { slugOf } from '../help-center/slug.ts'
import { createCollection } from './collections.ts'
import { createArticle, findTranslation, saveDraft } from './drafts.ts'
import { ImportedFiles } from './imported-files.ts'
import type { MarkdownFile } from './markdown-file.ts'
import type { work } from './read-folder-work.ts'

const readTask = defineTask<typeof work>('articles.readFolder', {
  module: new URL('./read-folder-work.ts', import.meta.url),
  timeoutMs: 60_000,
})

/**
 * Imports the Markdown files of a zip as drafts: `<language>/<collection>/<file>.md`, with the pictures and files that they link. A file whose address exists in its
 * language, or whose id is that of an article, changes that article's draft.
 * @throws Unacceptable for what is no zip; WorkersBusy; WorkersStopped
 */
export async function importFolder(
  context: Pick<Context, 'db' | 'change' | 'workers' | 'config' | 'files' | 'pictures'>,
  caller: User,
  { bytes, language }: { bytes: Buffer; language: string | undefined },
): Promise<ArticleImport> {
  const { account_id } = caller
  const { files, linked, tooLarge } = await readFiles(context, account_id, bytes)
  const imported = new ImportedFiles(context, caller, linked)
  const center = await readHelpCenter(context.db, account_id)
  const result: ArticleImport = {
    ...{ created: 0, updated: 0, unchanged: 0 },
    problems: tooLarge.map((file) => ({ file, problem: tooLargeProblem(file) })),
  }
  const articlesById = new Map<string, string>()
  for (const file of files) {
    try {
      const body = await imported.relinkFiles(file.path, file.body)
      const target = targetOf({ ...file, body }, language ?? center.default_language)
      result[await context.change((tx) => importFile(tx, context, caller, target, articlesById))]++
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      result.problems.push({ file: file.path, problem: problemOf(error) })
    }
  }
  return result
}

function tooLargeProblem(path: string): string {
  return /\.(md|markdown)$/i.test(path) ? 'It is too long for an article. Split it.' : 'It is larger than 8 MB.'
}

function problemOf(error: Refusal): string {
  const errors = 'errors' in error ? Object.entries(error.errors as Record<string, string[]>) : []
  return errors.length > 0
    ? errors.map(([field, problems]) => `${field} ${problems.join(', ')}`).join('; ')
    : error.message
}

async function readFiles({ workers }: Pick<Context, 'workers'>, account_id: string, bytes: Buffer) {
  const outcome = await readTask.run(workers, { account_id, bytes: bytes.length }, bytes).catch((error: unknown) => {
    if (!(error instanceof WorkFailed || error instanceof WorkerKilled)) throw error
    throw new Unacceptable('This file is not a valid ZIP file. Upload a ZIP file with Markdown files.')
  })
  if ('problem' in outcome) throw new Unacceptable(outcome.problem)
  if (outcome.files.length + outcome.tooLarge.length === 0) {
    throw new Unacceptable('This ZIP file contains no Markdown files. Their names have to end in .md.')
  }
  return outcome
}

interface Target extends MarkdownFile {
  language: string
  /** The folders of its collection, and of the one around it in front. */
  collection: string[]
}

/** The first folder with the name of a language says the language, those below it the collection. */
function targetOf(file: MarkdownFile, standard: string): Target {
  if (file.body.length > MAX_ARTICLE_LENGTH) {
    throw new Unacceptable(`It has more than ${MAX_ARTICLE_LENGTH} characters. Split it.`)
  }
  const folders = file.path.split('/').slice(0, -1)
  const at = folders.findIndex((folder) => z.safeParse(ArticleLanguage, folder).success && folder.length !== 3)
  const name = file.path
    .split('/')
    .at(-1)!
    .replace(/\.(md|markdown)$/i, '')
  const slug = [file.slug, name].map((text) => z.safeParse(Slug, text)).find(({ success }) => success)?.data
  return {
    ...file,
    slug,
    language: at < 0 ? standard : z.parse(ArticleLanguage, folders[at]),
    collection: folders.slice(at + 1, at + 3),
  }
}

async function importFile(
  tx: Change,
  { config }: Pick<Context, 'config'>,
  caller: User,
  { id, language, collection, title, summary, slug, body }: Target,
  articlesById: Map<string, string>,
): Promise<'created' | 'updated' | 'unchanged'> {
  const { account_id } = caller
  const texts = { title, summary, body }
  const existing = await findExisting(tx.db, account_id, { language, slug, id: id && (articlesById.get(id) ?? id) })
  if (!existing) {
    const collection_id = await findOrCreateCollection(tx, account_id, language, collection)
    const article = await createArticle(tx, config, caller, { language, collection_id, ...texts }, slug)
    if (id) articlesById.set(id, article.id)
    return 'created'
  }
  const before = await findTranslation(tx.db, account_id, existing, language)
  await saveDraft(tx, config, caller, { id: existing, language, draft: before ? texts : { ...texts, slug } })
  const isSame = before?.title === title && before.summary === summary && before.body === body
  return isSame ? 'unchanged' : 'updated'
}

/** The article that a file means: the one with its id, or with its address in its language. */
async function findExisting(
  db: Db,
  account_id: string,
  { id, language, slug }: { id: string | undefined; language: string; slug: string | undefined },
): Promise<string | undefined> {
  if (id && isId(id)) {
    const byId = await ofAccount(db, account_id)
      .selectFrom('articles')
      .select('id')
      .where('id', '=', id.toLowerCase())
      .executeTakeFirst()
    if (byId) return byId.id
  }
  if (slug === undefined) return undefined
  const bySlug = await ofAccount(db, account_id)
    .selectFrom('article_translations')
    .select('article_id')
    .where('language', '=', language)
    .where('slug', '=', slug)
    .executeTakeFirst()
  return bySlug?.article_id
}

/** The collection of the last folder; null without folders. One that exists stays where it is. */
async function findOrCreateCollection(
  tx: Change,
  account_id: string,
  language: string,
  folders: string[],
): Promise<string | null> {
  const folder = folders.at(-1)
  if (folder === undefined) return null
  const slug = slugOf(folder, 'collection')
  const existing = await ofAccount(tx.db, account_id)
    .selectFrom('article_collections')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirst()
  if (existing) return existing.id
  const around = await findOrCreateCollection(tx, account_id, language, folders.slice(0, -1))
  const name = folder.replaceAll('-', ' ').slice(0, 100)
  const draft = {
    texts: { [language]: { name, description: '' } },
    slug,
    parent_id: await topOf(tx.db, account_id, around),
  }
  return (await createCollection(tx, account_id, draft)).id
}

/** Collections are nested one level deep, so what would be inside a nested one is beside it. */
async function topOf(db: Db, account_id: string, id: string | null): Promise<string | null> {
  if (id === null) return null
  const { parent_id } = await ofAccount(db, account_id)
    .selectFrom('article_collections')
    .select('parent_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return parent_id ?? id
}
