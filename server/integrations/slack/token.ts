import type { WebClient } from '@slack/web-api'
import type { Context } from '../../context.ts'
import { withFreshToken } from '../../features/authorizations/fresh-token.ts'
import { slackApp } from './app.ts'
import type { Slack } from './authorization.ts'
import { ask } from './client.ts'

/**
 * Works with the token of a connection. Where the app rotates its tokens, one lasts twelve hours and is renewed before.
 * @throws Reconnect when it cannot be renewed any more
 */
export function withBotToken<Result>(
  context: Context,
  slack: Slack,
  work: (bot_token: string) => Promise<Result>,
): Promise<Result> {
  return withFreshToken(context, { ...slack, settings: {} }, { app: () => slackApp(context, slack.account_id) }, work)
}

/** Makes one call to Slack with the token of a connection, otherwise as `ask`. */
export function askAs<Answer>(
  context: Context,
  slack: Slack,
  call: (client: WebClient) => Promise<Answer>,
  channel?: string,
): Promise<Answer> {
  return withBotToken(context, slack, (bot_token) => ask(context, bot_token, call, channel))
}
