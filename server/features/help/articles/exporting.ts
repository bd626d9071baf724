import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { loadKeys } from '../../conversations/files/files.ts'
import { fileIdsIn } from './article-files.ts'
import { replaceTargets } from './link-targets.ts'
import { writeMarkdownFile } from './markdown-file.ts'

const BATCH = 200

/**
 * All articles of an account as a zip of Markdown files, `<language>/<collection>/<slug>.md`, with their pictures and
 * files below `files/`, written while they are read: neither the archive nor all texts are ever in memory.
 */
export async function* exportFolder(
  { db, files }: Pick<Context, 'db' | 'files'>,
  account_id: string,
): AsyncGenerator<Buffer> {
  const { Zip, ZipDeflate, ZipPassThrough } = await import('fflate')
  const written: Buffer[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    written.push(Buffer.from(bytes))
  })
  const folders = await readFolders(db, account_id)
  const linked = new Map<string, { path: string; key: string }>()
  let after: { article_id: string; language: string } | undefined
  for (;;) {
    const rows = await readBatch(db, account_id, after)
    const batch = await readLinked(db, account_id, rows)
    for (const { article_id: id, language, collection_id, public_version, version, ...row } of rows) {
      const state = public_version === null ? 'draft' : public_version === version ? 'published' : 'changed'
      const folder = collection_id ? `${folders.get(collection_id)}/` : ''
      const path = `${language}/${folder}${row.slug}.md`
      const body = replaceTargets(row.body, (target) => {
        const file = batch.get(fileIdsIn(target)[0] ?? '')
        if (!file) return undefined
        linked.set(file.path, file)
        return '../'.repeat(path.split('/').length - 1) + addressOf(file.path)
      })
      const file = new ZipDeflate(path, { level: 6 })
      zip.add(file)
      file.push(Buffer.from(writeMarkdownFile({ ...row, body, path, id, state })), true)
    }
    yield* written.splice(0)
    if (rows.length < BATCH) break
    after = rows.at(-1)!
  }
  for (const { path, key } of linked.values()) {
    const contents = await files.get(key)
    if (!contents) continue
    const file = new ZipPassThrough(path)
    zip.add(file)
    for await (const bytes of contents) {
      file.push(bytes)
      yield* written.splice(0)
    }
    file.push(new Uint8Array(), true)
  }
  zip.end()
  yield* written.splice(0)
}

/** The files that some articles link, by their ids, with their places in the archive. */
async function readLinked(db: Db, account_id: string, articles: { body: string }[]) {
  const ids = [...new Set(articles.flatMap(({ body }) => fileIdsIn(body)))]
  const rows = await loadKeys(db, account_id, ids)
  return new Map(rows.map(({ id, filename, key }) => [id, { path: `files/${id}/${filename}`, key }]))
}

/** A path as it is written in Markdown, where brackets could end a link. */
function addressOf(path: string): string {
  return encodeURI(path).replace(/[()#?]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
}

/** The folder of each collection, inside that of the collection around it. */
async function readFolders(db: Db, account_id: string): Promise<Map<string, string>> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('article_collections')
    .select(['id', 'parent_id', 'slug'])
    .execute()
  const slugs = new Map(rows.map(({ id, slug }) => [id, slug]))
  return new Map(rows.map(({ id, parent_id, slug }) => [id, parent_id ? `${slugs.get(parent_id)}/${slug}` : slug]))
}

function readBatch(db: Db, account_id: string, after: { article_id: string; language: string } | undefined) {
  return db
    .selectFrom('article_translations as t')
    .innerJoin('articles as a', (join) =>
      join.onRef('a.account_id', '=', 't.account_id').onRef('a.id', '=', 't.article_id'),
    )
    .leftJoin('published_articles as p', (join) =>
      join
        .onRef('p.account_id', '=', 't.account_id')
        .onRef('p.article_id', '=', 't.article_id')
        .onRef('p.language', '=', 't.language'),
    )
    .select(['t.article_id', 't.language', 't.title', 't.summary', 't.slug', 't.body', 't.version', 't.updated_at'])
    .select(['a.collection_id', 'p.version as public_version'])
    .where('t.account_id', '=', account_id)
    .$if(!!after, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('t.article_id', 't.language'), '>', tuple(after!.article_id, after!.language)),
      ),
    )
    .orderBy('t.article_id')
    .orderBy('t.language')
    .limit(BATCH)
    .execute()
}
