import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { writeMarkdownFile } from './markdown-file.ts'

const BATCH = 200

/**
 * All articles of an account as a zip of Markdown files, `<language>/<collection>/<slug>.md`, written while they are
 * read: neither the archive nor all texts are ever in memory.
 */
export async function* exportFolder(db: Db, account_id: string): AsyncGenerator<Buffer> {
  const { Zip, ZipDeflate } = await import('fflate')
  const written: Buffer[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    written.push(Buffer.from(bytes))
  })
  const folders = await readFolders(db, account_id)
  let after: { article_id: string; language: string } | undefined
  for (;;) {
    const rows = await readBatch(db, account_id, after)
    for (const { article_id: id, language, collection_id, public_version, version, ...row } of rows) {
      const state = public_version === null ? 'draft' : public_version === version ? 'published' : 'changed'
      const folder = collection_id ? `${folders.get(collection_id)}/` : ''
      const path = `${language}/${folder}${row.slug}.md`
      const file = new ZipDeflate(path, { level: 6 })
      zip.add(file)
      file.push(Buffer.from(writeMarkdownFile({ ...row, path, id, state })), true)
    }
    yield* written.splice(0)
    if (rows.length < BATCH) break
    after = rows.at(-1)!
  }
  zip.end()
  yield* written.splice(0)
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
