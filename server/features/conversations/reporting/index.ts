import { reporting } from '#contract/conversations/reporting.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { countNewMessages } from './consumers.ts'
import { checkTotals, forgetTag, makeMissingTotals, makeTotals, recountMessages } from './recounting.ts'
import { registerReportingRoutes } from './routes.ts'

export const reportingFeature = defineFeature({
  name: 'reporting',
  calls: [reporting],
  routes: [registerReportingRoutes],
  jobs: [recountMessages, makeTotals, forgetTag],
  schedules: [
    defineSchedule('reporting.makeMissingTotals', '*/5 * * * *', makeMissingTotals),
    defineSchedule('reporting.checkTotals', '41 4 * * *', checkTotals),
  ],
  consumers: [countNewMessages],
})
