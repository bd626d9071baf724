import { integrations } from '#contract/integrations.ts'
import { defineFeature } from '../../feature.ts'
import { openIntegrations } from './routes.ts'

export const integrationsFeature = defineFeature({
  name: 'integrations',
  calls: [integrations],
  routes: [openIntegrations],
})
