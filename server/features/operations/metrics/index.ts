import { defineFeature } from '../../../feature.ts'
import { serveMetrics } from './serve-metrics.ts'

export const metricsFeature = defineFeature({
  name: 'metrics',
  pages: serveMetrics,
})
