import type { SlackType } from '#contract/slack.ts'
import { SLACK_SCOPES, SLACK_USER_SCOPES } from '#contract/slack-app.ts'
import type { Context } from '../../context.ts'
import { Unacceptable } from '../../errors.ts'
import { findApp, returnUrl } from '../../features/authorizations/apps.ts'
import type { Consent } from '../../integration.ts'
import { consentUrl, exchangeCode, type OAuthApp } from '../../platform/oauth/oauth.ts'
import { connectChannel } from './connect.ts'

/** Through the consent page of Slack, where a channel is chosen, too. */
export function slackConsent(type: SlackType): Consent {
  return {
    begin: async (context, { account_id }, start) => consentUrl(await slackApp(context, account_id), start),
    async finish(context, caller, { code, inbox_id }) {
      if (!code) throw new Unacceptable('Slack sent no code along. Start again.')
      const app = await slackApp(context, caller.account_id)
      const { access_token, scope, answer } = await exchangeCode(context.outbound, app, { code })
      const chosen = answer.incoming_webhook as { channel_id?: unknown; configuration_url?: unknown } | undefined
      if (typeof chosen?.channel_id !== 'string') {
        throw new Unacceptable('No channel was chosen in Slack. Start again and choose one.')
      }
      const { configuration_url } = chosen
      return connectChannel(context, caller, {
        type,
        inbox_id,
        channel_id: chosen.channel_id,
        credentials: { bot_token: access_token, app_token: null },
        configuration_url: typeof configuration_url === 'string' ? configuration_url : null,
        scope,
      })
    },
  }
}

/** The app in whose name Slack asks for consent. @throws Unacceptable where none is set up */
async function slackApp(context: Context, account_id: string): Promise<OAuthApp> {
  const app = await findApp(context, account_id, 'slack')
  if (!app) throw new Unacceptable('Enter the app of Slack first, or connect by the tokens of an app of your own.')
  const { slackApiUrl } = context.config
  return {
    ...app,
    vendor: 'Slack',
    authorize_url: `${slackApiUrl}/oauth/v2/authorize`,
    token_url: `${slackApiUrl}/api/oauth.v2.access`,
    redirect_uri: returnUrl(context, 'slack'),
    scope: SLACK_SCOPES.join(','),
    parameters: { user_scope: SLACK_USER_SCOPES.join(',') },
  }
}
