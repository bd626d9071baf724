import { inboxes } from '#contract/widget/inboxes.ts'
import { defineFeature } from '../../../feature.ts'
import { registerInboxesRoutes } from './routes.ts'

export const inboxesFeature = defineFeature({
  name: 'inboxes',
  calls: [inboxes],
  routes: [registerInboxesRoutes],
})
