import type { WebClient } from '@slack/web-api'
import type { Context } from '../../context.ts'
import { withFreshToken } from '../../features/connections/authorizations/fresh-token.ts'
import { slackApp } from './app.ts'
import type { Slack } from './authorization.ts'
import { requestSlack } from './client.ts'

/**
 * Calls Slack with a connection's token. With token rotation, a token lasts twelve hours and is renewed before.
 * @throws Reconnect if it can no longer be renewed
 */
export function withBotToken<Result>(
  context: Context,
  slack: Slack,
  work: (bot_token: string) => Promise<Result>,
): Promise<Result> {
  return withFreshToken(context, { ...slack, settings: {} }, { app: () => slackApp(context, slack.account_id) }, work)
}

/** Makes a call to Slack with a connection's token, otherwise like `ask`. */
export function requestAs<Answer>(
  context: Context,
  slack: Slack,
  call: (client: WebClient) => Promise<Answer>,
  channel?: string,
): Promise<Answer> {
  return withBotToken(context, slack, (bot_token) => requestSlack(context, bot_token, call, channel))
}
