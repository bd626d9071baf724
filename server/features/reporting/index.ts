import { reporting } from '#contract/reporting.ts'
import { defineFeature } from '../../feature.ts'
import { countNewMessages, recountMessages } from './counting.ts'
import { openReporting } from './routes.ts'

export const reportingFeature = defineFeature({
  name: 'reporting',
  calls: [reporting],
  routes: [openReporting],
  jobs: [recountMessages],
  consumers: [countNewMessages],
})
