import * as z from 'zod/mini'
import { hubspot } from '#contract/integrations/hubspot.ts'
import { defineFeature } from '../../feature.ts'
import type { Integration } from '../../integration.ts'
import { revokeToken } from '../../platform/oauth/oauth.ts'
import { type HubspotAuthorization, hubspotApp, requestHubspot } from './client.ts'
import { hubspotConsent } from './connect.ts'
import { registerHubspotRoutes } from './routes.ts'

const integration: Integration<HubspotAuthorization> = {
  name: 'hubspot',
  role: 'none',
  transport: 'none',
  consent: hubspotConsent,
  async test(context, authorization) {
    const call = { path: '/crm/v3/objects/contacts?limit=1' }
    await requestHubspot(context, authorization, call, z.unknown())
  },
  async revoke(context, { account_id, credentials: { refresh_token } }) {
    if (refresh_token) await revokeToken(context.outbound, await hubspotApp(context, account_id), refresh_token)
  },
}

export const hubspotIntegration = defineFeature({
  name: 'hubspot',
  calls: [hubspot],
  routes: [registerHubspotRoutes],
  integrations: [integration],
})
