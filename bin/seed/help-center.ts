import type { Kysely } from 'kysely'
import { renderArticle } from '#server/features/help/articles/render.ts'
import { slugOf } from '#server/features/help/help-center/slug.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { toJson } from '#server/platform/db/to-json.ts'
import type { Company } from './company.ts'
import { idOf } from './seeded-random.ts'
import { COLLECTIONS, type SeedText } from './texts/articles.ts'

/** A published help center with articles in two languages. */
export async function createHelpCenter(db: Kysely<Database>, { account_id, users }: Company): Promise<void> {
  await db
    .insertInto('help_centers')
    .values({
      account_id,
      name: 'Lumen & Oak Help',
      slug: 'lumen-and-oak',
      is_published: true,
      default_language: 'en',
      languages: ['en', 'de'],
      color: '#3d5a45',
      contact_email: 'hello@lumenandoak.example',
      legal_links: toJson([{ label: 'Imprint', url: 'https://lumenandoak.example/imprint' }]),
    })
    .execute()
  for (const [at, { icon, texts, articles }] of COLLECTIONS.entries()) {
    const collection_id = idOf(`collection ${at}`)
    const slug = slugOf(texts.en.name, 'collection')
    await db
      .insertInto('article_collections')
      .values({ account_id, id: collection_id, position: at + 1, slug, icon, texts: toJson(texts) })
      .execute()
    for (const [position, article] of articles.entries()) {
      const id = idOf(`article ${at} ${position}`)
      const author_id = users[position % users.length]!.id
      await db
        .insertInto('articles')
        .values({ account_id, id, collection_id, position: position + 1, author_id })
        .execute()
      for (const language of ['en', 'de'] as const) {
        await publish(db, { account_id, article_id: id, language }, author_id, article[language])
      }
    }
  }
}

interface Which {
  account_id: string
  article_id: string
  language: string
}

async function publish(db: Kysely<Database>, translation: Which, user_id: number, { title, summary, body }: SeedText) {
  const slug = slugOf(title, 'article')
  const revision_id = idOf(`revision ${translation.article_id} ${translation.language}`)
  const { html, text } = renderArticle({ body, files: [], filesAt: '/help/files/' })
  const texts = { title, summary }
  await db
    .insertInto('article_translations')
    .values({ ...translation, ...texts, body, slug, updated_by: user_id })
    .execute()
  await db
    .insertInto('article_revisions')
    .values({ ...translation, ...texts, body, id: revision_id, number: 1, user_id })
    .execute()
  await db
    .insertInto('published_articles')
    .values({ ...translation, ...texts, slug, html, text, revision_id, version: 1 })
    .execute()
}
