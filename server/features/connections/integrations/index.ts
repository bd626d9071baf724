import { integrations } from '#contract/connections/integrations.ts'
import { integrationApps, oauth } from '#contract/connections/oauth.ts'
import { defineFeature } from '../../../feature.ts'
import { registerOAuthRoutes } from './oauth-routes.ts'
import { registerIntegrationsRoutes } from './routes.ts'

export const integrationsFeature = defineFeature({
  name: 'integrations',
  calls: [integrations, oauth, integrationApps],
  routes: [registerIntegrationsRoutes, registerOAuthRoutes],
})
