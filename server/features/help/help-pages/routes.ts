import { type PublicArticle, type PublicHelpCenter, publicArticles } from '#contract/help/public-articles.ts'
import { findLanguage } from '#contract/languages.ts'
import type { Context } from '../../../context.ts'
import { NotFound } from '../../../errors.ts'
import { directionOf } from '../../../languages.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { readerOf } from '../article-feedback/readers.ts'
import { countNoHits, recordRead, recordVote } from '../article-feedback/recording.ts'
import { searchArticles } from '../article-search/search.ts'
import { urlOfArticle, urlOfCenter, urlOfCollection } from '../help-center/addresses.ts'
import type { HelpCenterRow } from '../help-center/help-center.ts'
import { helpCenters } from './centers.ts'
import { listPublished, listShownCollections, readArticle } from './content.ts'
import { chooseTranslation } from './rendering.ts'

const MAX_ARTICLES = 20

/** Calls of widgets and websites. Without a published help center there are no articles. */
export function registerPublicRoutes(routes: Routes, context: Context) {
  const { db, change, config } = context
  const find = (account_id: string) => helpCenters(context).find({ account_id })

  async function read(account_id: string, id: string, language: string | undefined) {
    const center = await find(account_id)
    if (!center) throw new NotFound()
    const translations = await readArticle(db, account_id, id)
    const article = chooseTranslation(translations, languageFor(center, language), center.default_language)
    if (!article) throw new NotFound()
    return { center, article }
  }

  routes.route(publicArticles.home, async ({ query }) => {
    const center = await find(query.account_id)
    if (!center) throw new NotFound()
    return { data: await describeHome(context, center, languageFor(center, query.language)) }
  })

  routes.route(publicArticles.search, async ({ query: { account_id, q, language, limit, is_typing } }) => {
    const center = await find(account_id)
    if (!center) return { data: [] }
    const chosen = languageFor(center, language)
    const hits = await searchArticles(context, center, { q, language: chosen, limit })
    if (hits.length === 0 && is_typing !== 'true') await countNoHits(db, account_id, chosen, q)
    return { data: hits }
  })

  routes.route(publicArticles.get, async ({ caller, params, query, request }) => {
    const { center, article } = await read(query.account_id, params.id, query.language)
    const { account_id } = center
    if (caller.kind === 'visitor' && caller.account_id === account_id) {
      const reader = readerOf(config, account_id, caller, request.headers['user-agent'])
      await recordRead(db, account_id, { reader, article_id: article.article_id, language: article.language })
    }
    const collections = article.collection_id ? await listShownCollections(db, center, article.language) : []
    const { article_id: id, language, title, summary, html, published_at } = article
    const answer: PublicArticle = {
      ...{ id, object: 'public_article', language, title, summary, html, updated_at: published_at },
      direction: directionOf(language),
      collection: collections.find((collection) => collection.id === article.collection_id)?.name ?? null,
      url: urlOfArticle(urlOfCenter(config.baseUrl, center), article),
    }
    return { data: answer }
  })

  routes.route(publicArticles.vote, async ({ caller, params, body, request }) => {
    const { account_id, is_helpful, comment = null } = body
    const { article } = await read(account_id, params.id, body.language)
    const reader = readerOf(config, account_id, caller, request.headers['user-agent'])
    const { article_id, language } = article
    await change((tx) => recordVote(tx, account_id, { reader, article_id, language, is_helpful, comment }))
    return null
  })
}

/** The language of the help center that fits a reader best. */
function languageFor({ languages, default_language }: HelpCenterRow, wanted: string | undefined): string {
  return findLanguage(languages, [wanted]) ?? default_language
}

async function describeHome(
  { db, config }: Context,
  center: HelpCenterRow,
  language: string,
): Promise<PublicHelpCenter> {
  const url = urlOfCenter(config.baseUrl, center)
  const articles = await listPublished(db, center, language)
  const byCollection = Map.groupBy(articles, ({ collection_id }) => collection_id)
  const collections = (await listShownCollections(db, center, language)).flatMap(
    ({ slug, parent_id: _, ...collection }) => {
      const inside = byCollection.get(collection.id) ?? []
      if (inside.length === 0) return []
      const links = inside.slice(0, MAX_ARTICLES).map(({ article_id, title, summary, ...address }) => ({
        ...{ id: article_id, title, summary },
        url: urlOfArticle(url, { ...address, language }),
      }))
      return {
        ...collection,
        url: urlOfCollection(url, { language, slug }),
        article_count: inside.length,
        articles: links,
      }
    },
  )
  return { object: 'public_help_center', name: center.name, url, language, collections }
}
