import type { SlackType } from '#contract/integrations/slack.ts'
import { Unacceptable } from '../../errors.ts'
import type { Consent } from '../../integration.ts'
import { consentUrl, exchangeCode } from '../../platform/oauth/oauth.ts'
import { slackApp } from './app.ts'
import { connectChannel } from './connect.ts'

/** Through Slack's consent page, which also asks for a channel. */
export function slackConsent(type: SlackType): Consent {
  return {
    begin: async (context, { account_id }, start) => consentUrl(await slackApp(context, account_id), start),
    async finish(context, caller, { code, inbox_id }) {
      if (!code) throw new Unacceptable('Slack returned no code. Start again.')
      const app = await slackApp(context, caller.account_id)
      const tokens = await exchangeCode(context.outbound, app, { code })
      const { access_token, refresh_token, expires_at, scope, answer } = tokens
      const chosen = answer.incoming_webhook as { channel_id?: unknown; configuration_url?: unknown } | undefined
      if (typeof chosen?.channel_id !== 'string') {
        throw new Unacceptable('You chose no channel in Slack. Start again and choose one.')
      }
      const { configuration_url } = chosen
      return connectChannel(context, caller, {
        type,
        inbox_id,
        channel_id: chosen.channel_id,
        credentials: { access_token, app_token: null, refresh_token, expires_at },
        configuration_url: typeof configuration_url === 'string' ? configuration_url : null,
        scope,
      })
    },
  }
}
