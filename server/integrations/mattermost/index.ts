import { mattermost } from '#contract/integrations/mattermost.ts'
import { defineFeature } from '../../feature.ts'
import { asRefusal } from '../../features/connections/authorizations/vendor-call.ts'
import { planForMirror } from '../../features/connections/mirrors/plan-deliveries.ts'
import type { Integration } from '../../integration.ts'
import { accessOf, type Mattermost } from './authorization.ts'
import { requestMattermost } from './client.ts'
import { findSent } from './find-sent.ts'
import { receive } from './incoming.ts'
import { deliverToMattermost } from './outgoing.ts'
import { registerMattermostRoutes } from './routes.ts'
import { mattermostToken } from './token.ts'

const TEST = ':white_check_mark: This is a test. Reply in its thread, and the connection turns green.'

const integration: Integration<Mattermost> = {
  name: 'mattermost',
  role: 'mirror',
  transport: 'live',
  connect: async (context, authorization, signal) =>
    (await import('./socket.ts')).connect(context, authorization, signal),
  receive,
  plan: (planned) => planForMirror(planned),
  deliver: deliverToMattermost,
  findSent,
  async test(context, authorization) {
    const json = { channel_id: authorization.settings.channel_id, message: TEST }
    await requestMattermost(context, accessOf(authorization), { path: '/posts', method: 'POST', json }).catch(
      (error: unknown) => {
        throw asRefusal(error)
      },
    )
  },
}

export const mattermostIntegration = defineFeature({
  name: 'mattermost',
  calls: [mattermost],
  routes: [registerMattermostRoutes],
  integrations: [integration],
  signatures: (context) => ({ mattermost: mattermostToken(context) }),
})
