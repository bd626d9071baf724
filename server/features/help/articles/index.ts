import { articleCollections } from '#contract/help/article-collections.ts'
import { articles } from '#contract/help/articles.ts'
import { defineFeature } from '../../../feature.ts'
import { registerArticleRoutes, registerCollectionRoutes } from './routes.ts'

export const articlesFeature = defineFeature({
  name: 'articles',
  calls: [articleCollections, articles],
  routes: [registerCollectionRoutes, registerArticleRoutes],
})
