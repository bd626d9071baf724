import { slack } from '#contract/integrations/slack.ts'
import { slackThreads } from '#contract/integrations/slack-threads.ts'
import type { Context } from '../../context.ts'
import { defineFeature } from '../../feature.ts'
import { runForCaller } from '../../features/connections/authorizations/vendor-call.ts'
import { planForMirror, planForOrigin } from '../../features/connections/mirrors/plan-deliveries.ts'
import type { Integration } from '../../integration.ts'
import { asSlack, listSlack, type StoredSlack } from './authorization.ts'
import { requestSlack } from './client.ts'
import { slackConsent } from './consent.ts'
import { deliverReply } from './deliver-reply.ts'
import { deliverSupport } from './deliver-support.ts'
import { findSent } from './find-sent.ts'
import { receiveReply } from './incoming-reply.ts'
import { receiveSupport } from './incoming-support.ts'
import { slackConnections } from './live-connections.ts'
import { statusOf } from './root.ts'
import { registerSlackCallRoutes, registerSlackRoutes } from './routes.ts'
import { slackSignature } from './signature.ts'
import { requestAs } from './token.ts'

/** The app stays in the workspace while another channel is connected through it. */
async function revoke(context: Context, authorization: StoredSlack): Promise<void> {
  const { account_id, credentials, settings } = asSlack(authorization)
  const others = await listSlack(context, account_id, {})
  // A pasted token belongs to the person who pasted it.
  if (!settings.is_consented || others.some((other) => other.settings.team_id === settings.team_id)) return
  await requestSlack(context, credentials.access_token, (client) => client.auth.revoke())
}

/** The team replies in a channel of its own. */
const reply: Integration<StoredSlack> = {
  name: 'slack',
  role: 'mirror',
  transport: 'live',
  consent: slackConsent('reply'),
  revoke,
  receive: receiveReply,
  plan: (planned) => planForMirror(planned, statusOf),
  deliver: deliverReply,
  findSent,
  test: (context, authorization) =>
    writeTest(
      context,
      authorization,
      ':white_check_mark: This is a test. Reply in its thread, and the connection turns green.',
    ),
}

/** Customers write in shared channels. */
const support: Integration<StoredSlack> = {
  name: 'slack:sync',
  role: 'origin',
  transport: 'live',
  consent: slackConsent('support'),
  revoke,
  receive: receiveSupport,
  plan: planForOrigin,
  deliver: deliverSupport,
  findSent,
  // Customers read the channel, so the test posts nothing.
  test: async (context, authorization) => {
    const slack = asSlack(authorization)
    const { settings } = slack
    await runForCaller(() =>
      requestAs(
        context,
        slack,
        (client) => client.conversations.history({ channel: settings.channel_id, limit: 1 }),
        settings.channel,
      ),
    )
  },
}

async function writeTest(context: Context, authorization: StoredSlack, text: string): Promise<void> {
  const slack = asSlack(authorization)
  const { channel_id, channel } = slack.settings
  await runForCaller(() =>
    requestAs(context, slack, (client) => client.chat.postMessage({ channel: channel_id, text }), channel),
  )
}

export const slackIntegration = defineFeature({
  name: 'slack',
  calls: [slack, slackThreads],
  routes: [registerSlackRoutes, registerSlackCallRoutes],
  integrations: [reply, support],
  signatures: (context) => ({ slack: slackSignature(context) }),
  liveConnections: slackConnections,
})
