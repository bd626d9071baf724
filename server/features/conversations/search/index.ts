import { search } from '#contract/conversations/search.ts'
import { defineFeature } from '../../../feature.ts'
import { messageWordsData } from './customer-data.ts'
import { openSearch } from './routes.ts'

export const searchFeature = defineFeature({
  name: 'search',
  calls: [search],
  routes: [openSearch],
  customerData: [messageWordsData],
})
