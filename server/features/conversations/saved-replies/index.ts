import { savedReplies } from '#contract/conversations/saved-replies.ts'
import { defineFeature } from '../../../feature.ts'
import { registerSavedRepliesRoutes } from './routes.ts'

export const savedRepliesFeature = defineFeature({
  name: 'saved-replies',
  calls: [savedReplies],
  routes: [registerSavedRepliesRoutes],
})
