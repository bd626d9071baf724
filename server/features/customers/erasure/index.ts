import { deletedConversations } from '#contract/conversations/deleted-conversations.ts'
import { erasure } from '#contract/customers/erasure.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { destroyAccount } from './closing.ts'
import { applyRetention } from './retention.ts'
import { registerErasureRoutes } from './routes.ts'

export const erasureFeature = defineFeature({
  name: 'erasure',
  calls: [deletedConversations, erasure],
  routes: [registerErasureRoutes],
  jobs: [destroyAccount],
  schedules: [defineSchedule('erasure.applyRetention', '23 2 * * *', (context) => applyRetention(context, new Date()))],
})
