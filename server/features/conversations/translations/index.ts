import { translations } from '#contract/conversations/translations.ts'
import { defineFeature } from '../../../feature.ts'
import { registerTranslationsRoutes } from './routes.ts'

export const translationsFeature = defineFeature({
  name: 'translations',
  calls: [translations],
  routes: [registerTranslationsRoutes],
})
