import { articleSearch } from '#contract/help/public-articles.ts'
import type { Context } from '../../../context.ts'
import { defineFeature } from '../../../feature.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { readHelpCenter } from '../help-center/help-center.ts'
import { searchSample } from './sample.ts'
import { searchArticles } from './search.ts'

function registerArticleSearchRoutes(routes: Routes, context: Context) {
  routes.route(articleSearch.find, async ({ caller, query: { q, language, limit } }) => {
    const center = await readHelpCenter(context.db, caller.account_id)
    const search = { q, limit, language: language ?? center.default_language }
    return { data: center.is_published ? await searchArticles(context, center, search) : [] }
  })
  routes.route(articleSearch.inSample, async ({ body }) => ({
    data: { article_ids: await searchSample(context.db, body.articles, body.q) },
  }))
}

export const articleSearchFeature = defineFeature({
  name: 'article-search',
  calls: [articleSearch],
  routes: [registerArticleSearchRoutes],
})
