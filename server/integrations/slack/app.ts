import { SLACK_SCOPES, SLACK_USER_SCOPES } from '#contract/integrations/slack-app.ts'
import type { Context } from '../../context.ts'
import { Unacceptable } from '../../errors.ts'
import { findApp, returnUrl } from '../../features/connections/authorizations/apps.ts'
import type { OAuthApp } from '../../platform/oauth/oauth.ts'

/** The app that asks for consent at Slack. @throws Unacceptable if none is set up */
export async function slackApp(context: Context, account_id: string): Promise<OAuthApp> {
  const app = await findApp(context, account_id, 'slack')
  if (!app) throw new Unacceptable('Enter the Slack app first, or connect with the tokens of your own app.')
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
