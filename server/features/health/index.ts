import { health } from '#contract/health.ts'
import { defineFeature } from '../../feature.ts'
import { healthMetrics } from './metrics.ts'
import { openHealth } from './routes.ts'
import { beSeen, goUnseen } from './servers.ts'

export const healthFeature = defineFeature({
  name: 'health',
  calls: [health],
  routes: [openHealth],
  metrics: healthMetrics,
  start: beSeen,
  stop: goUnseen,
})
