import { deadlines } from '#contract/conversations/deadlines.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { checkDeadlines } from './checking.ts'
import { followConversations } from './consumer.ts'
import { recalculateDeadlines } from './recalculating.ts'
import { registerDeadlinesRoutes } from './routes.ts'

export const deadlinesFeature = defineFeature({
  name: 'deadlines',
  calls: [deadlines],
  routes: [registerDeadlinesRoutes],
  jobs: [recalculateDeadlines],
  schedules: [defineSchedule('deadlines.check', '* * * * *', (context) => checkDeadlines(context, new Date()))],
  consumers: [followConversations],
})
