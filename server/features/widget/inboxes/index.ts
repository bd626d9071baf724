import { inboxes } from '#contract/widget/inboxes.ts'
import { defineFeature } from '../../../feature.ts'
import { openInboxes } from './routes.ts'

export const inboxesFeature = defineFeature({
  name: 'inboxes',
  calls: [inboxes],
  routes: [openInboxes],
})
