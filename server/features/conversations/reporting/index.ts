import { reporting } from '#contract/conversations/reporting.ts'
import { defineFeature } from '../../../feature.ts'
import { countNewMessages } from './consumers.ts'
import { recountMessages } from './recounting.ts'
import { registerReportingRoutes } from './routes.ts'

export const reportingFeature = defineFeature({
  name: 'reporting',
  calls: [reporting],
  routes: [registerReportingRoutes],
  jobs: [recountMessages],
  consumers: [countNewMessages],
})
