import * as z from 'zod/mini'
import { intercom } from '#contract/integrations/intercom.ts'
import { defineFeature } from '../../feature.ts'
import type { Integration } from '../../integration.ts'
import { type IntercomAuthorization, requestIntercom } from './client.ts'
import { intercomConsent } from './connect.ts'
import { registerIntercomRoutes } from './routes.ts'

const integration: Integration<IntercomAuthorization> = {
  name: 'intercom',
  role: 'none',
  transport: 'none',
  consent: intercomConsent,
  async test(context, authorization) {
    await requestIntercom(context, authorization, { path: '/me' }, z.unknown())
  },
}

export const intercomIntegration = defineFeature({
  name: 'intercom',
  calls: [intercom],
  routes: [registerIntercomRoutes],
  integrations: [integration],
})
