import { setTimeout as sleep } from 'node:timers/promises'
import type { ChatPostMessageArguments } from '@slack/web-api'
import type { Context } from '../../context.ts'
import { RetryLater } from '../../integration.ts'
import type { Slack } from './authorization.ts'
import { MESSAGE_METADATA } from './metadata.ts'
import { requestAs } from './token.ts'

/** Slack accepts about one message a second per channel, with short bursts. */
const PACE = { capacity: 1, perSecond: 1 }
const WAITS = 30

/** Waits until a channel accepts another message. */
export async function waitForChannel({ limits }: Pick<Context, 'limits'>, team_id: string, channel: string) {
  for (let wait = 0; wait < WAITS; wait++) {
    const allowance = await limits.take(`slack ${team_id} ${channel}`, PACE)
    if (allowance.allowed) return
    await sleep(allowance.retryAfterSeconds * 1000)
  }
  throw new RetryLater('Too many messages are being sent to this channel.', { at: new Date(Date.now() + 5_000) })
}

interface Post {
  channel: string
  thread: string
  message_id: string
  text: string
  username: string
  /** The author's picture, or an icon. */
  picture: string | null
  emoji?: string
}

/** Posts a message in a thread, and returns Slack's timestamp of it. */
export async function postInThread(context: Context, slack: Slack, post: Post): Promise<string> {
  const { channel, thread, message_id, text, username, picture, emoji } = post
  const { settings } = slack
  await waitForChannel(context, settings.team_id, channel)
  const isPicture = !!picture && /^https:\/\//.test(picture)
  const sent = await requestAs(
    context,
    slack,
    (client) =>
      client.chat.postMessage({
        channel,
        thread_ts: thread,
        text,
        username: username.slice(0, 80),
        ...(isPicture ? { icon_url: picture } : emoji ? { icon_emoji: emoji } : {}),
        unfurl_links: false,
        unfurl_media: false,
        metadata: { event_type: MESSAGE_METADATA, event_payload: { message_id } },
      } as ChatPostMessageArguments),
    settings.channel,
  )
  return sent.ts!
}
