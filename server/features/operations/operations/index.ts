import { operations } from '#contract/operations/operations.ts'
import { defineFeature } from '../../../feature.ts'
import { stopFollowingAddress, watchAddress } from './address.ts'
import { jobMetric, jobsBacklog } from './jobs-backlog.ts'
import { serverMetrics } from './metrics.ts'
import { servePagesOfOperators } from './pages.ts'
import { registerOperationsRoutes } from './routes.ts'

export const operationsFeature = defineFeature({
  name: 'operations',
  calls: [operations],
  routes: [registerOperationsRoutes],
  pages: servePagesOfOperators,
  backlogs: [jobsBacklog],
  metrics: [...serverMetrics, jobMetric],
  start: watchAddress,
  stop: stopFollowingAddress,
})
