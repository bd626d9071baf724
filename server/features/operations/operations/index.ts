import { operations } from '#contract/operations/operations.ts'
import { defineFeature } from '../../../feature.ts'
import { followAddress, stopFollowingAddress } from './address.ts'
import { jobMetric, jobsBacklog } from './jobs-backlog.ts'
import { serverMetrics } from './metrics.ts'
import { servePagesOfOperators } from './pages.ts'
import { openOperations } from './routes.ts'

export const operationsFeature = defineFeature({
  name: 'operations',
  calls: [operations],
  routes: [openOperations],
  pages: servePagesOfOperators,
  backlogs: [jobsBacklog],
  metrics: [...serverMetrics, jobMetric],
  start: followAddress,
  stop: stopFollowingAddress,
})
