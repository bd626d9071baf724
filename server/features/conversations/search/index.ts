import { search } from '#contract/conversations/search.ts'
import { defineFeature } from '../../../feature.ts'
import { messageWordsData } from './customer-data.ts'
import { registerSearchRoutes } from './routes.ts'

export const searchFeature = defineFeature({
  name: 'search',
  calls: [search],
  routes: [registerSearchRoutes],
  customerData: [messageWordsData],
})
