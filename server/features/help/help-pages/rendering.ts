import { findLanguage } from '#contract/languages.ts'
import type { Context } from '../../../context.ts'
import type { HelpCenterRow } from '../help-center/help-center.ts'
import {
  findBySlug,
  listEverything,
  listNewest,
  listPublished,
  listShownCollections,
  readArticle,
  type ShownCollection,
} from './content.ts'
import { atomFeed, robots, sitemap } from './feeds.ts'
import type { Reader } from './layout.ts'
import { type Answer, answerWith, redirectTo } from './page-cache.ts'
import { articlePage, collectionPage, missingPage, startPage } from './pages.ts'
import { chooseSource } from './social-pictures.ts'
import { iconOf, styleOf } from './style.ts'

const RELATED = 5

type Rendered = Pick<Context, 'db' | 'config'>

/** The reader of an address without a language: that of the help center. */
export function readerIn(center: HelpCenterRow, root: string, baseUrl: string, language?: string): Reader {
  const offered = language === undefined ? undefined : center.languages.find((tag) => tag === language)
  return { center, root, baseUrl, language: offered ?? center.default_language }
}

/**
 * What an address below a help center shows, apart from search and votes. `path` is decoded and has no slash at its
 * ends.
 */
export async function render(context: Rendered, center: HelpCenterRow, root: string, path: string): Promise<Answer> {
  const { baseUrl } = context.config
  const style = styleOf(center.color)
  if (path === style.name) return answerWith(style.css, 'css')
  if (path === 'favicon.svg') return answerWith(iconOf(center), 'svg')
  if (path === 'robots.txt') return answerWith(robots(baseUrl, center), 'text')
  if (path === 'sitemap.xml') {
    const collections = await listShownCollections(context.db, center, center.default_language)
    const articles = await listEverything(context.db, center.account_id)
    return answerWith(sitemap(baseUrl, center, { collections, articles }), 'xml')
  }
  const [language = '', kind, slug, ...others] = path.split('/')
  const reader = readerIn(center, root, baseUrl, language)
  if (reader.language !== language) return missing(reader, false)
  if (kind === undefined) return renderStart(context, reader)
  if (kind === 'feed.xml' && slug === undefined) {
    const entries = await listNewest(context.db, center.account_id, language)
    return answerWith(atomFeed(baseUrl, center, language, entries), 'xml')
  }
  if (slug === undefined || others.length > 0) return missing(reader, false)
  if (kind === 'articles') return renderArticle(context, reader, slug)
  return kind === 'collections' ? renderCollection(context, reader, slug) : missing(reader, false)
}

function missing(reader: Reader, wasHere: boolean): Answer {
  return answerWith(missingPage(reader, wasHere), 'html', wasHere ? 410 : 404)
}

async function renderStart(context: Rendered, reader: Reader): Promise<Answer> {
  const { center, language } = reader
  const collections = await listShownCollections(context.db, center, language)
  const articles = await listPublished(context.db, center, language)
  const picture = await chooseSource(context, center, '')
  return answerWith(startPage(reader, { collections, articles, picture }))
}

async function renderCollection({ db }: Rendered, reader: Reader, slug: string): Promise<Answer> {
  const { center, language } = reader
  const collections = await listShownCollections(db, center, language)
  const collection = collections.find((shown) => shown.slug === slug)
  if (!collection) return missing(reader, false)
  const inside = collections.filter(({ parent_id }) => parent_id === collection.id)
  const articles = await listPublished(
    db,
    center,
    language,
    [collection, ...inside].map(({ id }) => id),
  )
  const around = pathTo(collections, collection.parent_id)
  return answerWith(collectionPage(reader, collection, { around, inside, articles }))
}

/** A collection with the one around it in front; nothing for null. */
function pathTo(collections: ShownCollection[], id: string | null): ShownCollection[] {
  const collection = collections.find((shown) => shown.id === id)
  return collection ? [...pathTo(collections, collection.parent_id), collection] : []
}

/** The article in the language of the address; where that is missing, in the default language or any other. */
async function renderArticle({ db }: Rendered, reader: Reader, slug: string): Promise<Answer> {
  const { center, language, root } = reader
  const match = await findBySlug(db, center.account_id, language, slug)
  if ('was' in match) return missing(reader, match.was)
  const translations = await readArticle(db, center.account_id, match.article_id)
  const article = chooseTranslation(translations, language, center.default_language)
  if (!article) return missing(reader, true)
  if (article.slug !== slug) return redirectTo(`${root}/${language}/articles/${encodeURIComponent(article.slug)}`)
  const collections = article.collection_id ? await listShownCollections(db, center, language) : []
  const path = pathTo(collections, article.collection_id)
  const collection = path.at(-1)
  const others = collection ? await listPublished(db, center, language, [collection.id]) : []
  const related = others.filter(({ article_id }) => article_id !== article.article_id).slice(0, RELATED)
  const picture = await chooseSource({ db }, center, article.html)
  return answerWith(articlePage(reader, article, { translations, path, related, picture }))
}

/** The translation for a reader: theirs, that of the default language, or whichever there is. */
export function chooseTranslation<Translation extends { language: string }>(
  translations: Translation[],
  language: string,
  default_language: string,
): Translation | undefined {
  const offered = translations.map((translation) => translation.language)
  const chosen = findLanguage(offered, [language, default_language]) ?? offered[0]
  return translations.find((translation) => translation.language === chosen)
}
