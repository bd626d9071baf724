import type { WebClient } from '@slack/web-api'
import type { Context } from '../../context.ts'
import { TokenRefused } from '../../features/connections/authorizations/vendor-call.ts'
import { ConnectionRevoked, PermanentFailure, RetryLater } from '../../integration.ts'
import { OutboundFailed } from '../../platform/outbound/outbound.ts'

const TIMEOUT_MS = 20_000

/**
 * Makes a call to Slack. It is not retried here, because deliveries and events have an order and retries of their own.
 * `channel` is mentioned in sentences about it.
 * @throws RetryLater, PermanentFailure, ConnectionRevoked or, if the outcome is unknown, OutboundFailed
 */
export async function requestSlack<Answer>(
  { config }: Pick<Context, 'config'>,
  token: string | undefined,
  call: (client: WebClient) => Promise<Answer>,
  channel = 'the channel',
): Promise<Answer> {
  // The library is loaded with the first call.
  const { WebClient: Client } = await import('@slack/web-api')
  const client = new Client(token, {
    slackApiUrl: `${config.slackApiUrl}/api/`,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    timeout: TIMEOUT_MS,
    logger: SILENT,
  })
  try {
    return await call(client)
  } catch (error) {
    throw explain(error, channel)
  }
}

/** Suppresses the library's log: errors are thrown. */
const SILENT = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  setName() {},
  getLevel: () => 'error' as never,
}

/** A final refusal, with Slack's error code. */
export class SlackRefused extends PermanentFailure {
  readonly code: string
  constructor(code: string) {
    super(SENTENCES[code] ?? `Slack refused it (${code}).`)
    this.code = code
  }
}

const SENTENCES: Record<string, string> = {
  msg_too_long: 'The message is too long for Slack.',
  no_text: 'The message has no content that Slack can show.',
}

interface SlackFailure {
  code?: string
  retryAfter?: number
  data?: { error?: string; needed?: string }
}

const REVOKED = [
  'invalid_auth',
  'not_authed',
  'token_revoked',
  'token_expired',
  'account_inactive',
  'not_allowed_token_type',
]
const OUTAGES = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout', 'team_added_to_org']

function explain(error: unknown, channel: string): Error {
  const { code, retryAfter, data } = error as SlackFailure
  if (code === 'slack_webapi_rate_limited_error' || data?.error === 'ratelimited') return rateLimited(retryAfter)
  if (code === 'slack_webapi_platform_error' && data?.error) return explainRefusal(data.error, data.needed, channel)
  if (code?.startsWith('slack_webapi')) {
    return new OutboundFailed('Slack returned an unexpected response. It will be retried automatically.', {
      cause: error,
    })
  }
  return error as Error
}

function rateLimited(seconds = 30): RetryLater {
  const at = new Date(Date.now() + seconds * 1000)
  return new RetryLater('Slack limits the number of messages. It will be retried later.', { at, restsAll: true })
}

function explainRefusal(refusal: string, needed: string | undefined, channel: string): Error {
  if (OUTAGES.includes(refusal))
    return new OutboundFailed('Slack has an internal problem. It will be retried automatically.')
  if (REVOKED.includes(refusal)) {
    return new TokenRefused(
      'Slack no longer accepts the token. Install the app again in Slack and connect it with the new token.',
    )
  }
  switch (refusal) {
    case 'missing_scope':
      return new ConnectionRevoked(
        `The app lacks the permission ${needed ?? 'for this'}. Add it in Slack under “OAuth & Permissions”, install the app again, then connect it again.`,
      )
    case 'not_in_channel':
      return new ConnectionRevoked(
        `Invite the app to ${channel}: write /invite and its name there, then connect it again.`,
      )
    case 'channel_not_found':
      return new ConnectionRevoked(
        `Slack does not show ${channel} to the app. If it is private, invite the app there; else choose another channel.`,
      )
    case 'is_archived':
      return new ConnectionRevoked(`${channel} was archived in Slack. Choose another channel.`)
    default:
      return new SlackRefused(refusal)
  }
}

/** Whether an address belongs to Slack, so that a token may be sent there. */
export function isOfSlack({ config }: Pick<Context, 'config'>, address: string): boolean {
  const url = URL.parse(address)
  if (!url) return false
  const isOfSetting = url.host === new URL(config.slackApiUrl).host
  return isOfSetting || (/^(https|wss):$/.test(url.protocol) && /(^|\.)slack\.com$/.test(url.hostname))
}
