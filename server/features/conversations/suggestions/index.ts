import { suggestions } from '#contract/conversations/suggestions.ts'
import { defineFeature } from '../../../feature.ts'
import { registerSuggestionsRoutes } from './routes.ts'

export const suggestionsFeature = defineFeature({
  name: 'suggestions',
  calls: [suggestions],
  routes: [registerSuggestionsRoutes],
})
