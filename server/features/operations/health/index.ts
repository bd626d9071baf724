import { health } from '#contract/operations/health.ts'
import { defineFeature } from '../../../feature.ts'
import { healthMetrics } from './metrics.ts'
import { registerHealthRoutes } from './routes.ts'
import { registerServer, unregisterServer } from './servers.ts'

export const healthFeature = defineFeature({
  name: 'health',
  calls: [health],
  routes: [registerHealthRoutes],
  metrics: healthMetrics,
  start: registerServer,
  stop: unregisterServer,
})
