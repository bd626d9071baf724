import type { ChatUpdateArguments, KnownBlock } from '@slack/web-api'
import type { Context } from '../../context.ts'
import type { Receipt } from '../../integration.ts'
import type { Slack } from './authorization.ts'
import { SlackRefused } from './client.ts'
import { waitForChannel } from './post.ts'
import { requestAs } from './token.ts'

interface Sent {
  place: string
  external_id: string
}

/** The message may have been deleted in Slack. */
const GONE = ['message_not_found', 'thread_not_found']

/** Replaces the text of one of our messages. */
export async function changePost(
  context: Context,
  slack: Slack,
  { place: channel, external_id: ts }: Sent,
  text: string,
  blocks?: KnownBlock[],
): Promise<Receipt> {
  const { settings } = slack
  await waitForChannel(context, settings.team_id, channel)
  return unlessDeleted(() =>
    requestAs(
      context,
      slack,
      (client) => client.chat.update({ channel, ts, text, ...(blocks && { blocks }) } as ChatUpdateArguments),
      settings.channel,
    ),
  )
}

/** Deletes one of our messages. */
export async function removePost(
  context: Context,
  slack: Slack,
  { place: channel, external_id: ts }: Sent,
): Promise<Receipt> {
  return unlessDeleted(() =>
    requestAs(context, slack, (client) => client.chat.delete({ channel, ts }), slack.settings.channel),
  )
}

async function unlessDeleted(work: () => Promise<unknown>): Promise<Receipt> {
  try {
    await work()
    return {}
  } catch (error) {
    if (error instanceof SlackRefused && GONE.includes(error.code)) return { dropped: true }
    throw error
  }
}
