import type { ConversationsHistoryResponse, ConversationsRepliesResponse, WebClient } from '@slack/web-api'
import type { Context } from '../../context.ts'
import { readAgain } from '../../features/authorizations/read-again.ts'
import type { Slack } from './authorization.ts'
import { askAs } from './token.ts'

/** A message as lists of Slack tell it. */
export type SlackMessage = NonNullable<ConversationsHistoryResponse['messages']>[number]

const PAGE = 200
const PAGES = 50

interface Wanted {
  channel: string
  /** Seconds, as Slack writes the times of its messages. */
  oldest: string
}

/** What stands in a channel itself since then, with what we wrote beside it, oldest first; not whole where it is too much. */
export async function readHistory(
  context: Context,
  slack: Slack,
  { channel, oldest }: Wanted,
): Promise<{ messages: SlackMessage[]; isWhole: boolean }> {
  const { messages, isWhole } = await readPages(context, slack, channel, (client, cursor) =>
    client.conversations.history({ channel, oldest, limit: PAGE, include_all_metadata: true, ...cursor }),
  )
  return { messages: messages.toReversed(), isWhole }
}

/** What stands in a thread since then, oldest first, behind the message with which it begins. */
export async function readReplies(
  context: Context,
  slack: Slack,
  { channel, oldest, ts }: Wanted & { ts: string },
): Promise<SlackMessage[]> {
  const { messages } = await readPages(context, slack, channel, (client, cursor) =>
    client.conversations.replies({ channel, ts, oldest, limit: PAGE, include_all_metadata: true, ...cursor }),
  )
  return messages
}

type Page = ConversationsHistoryResponse | ConversationsRepliesResponse
type Read = (client: WebClient, cursor: { cursor?: string }) => Promise<Page>

async function readPages(context: Context, slack: Slack, channel: string, read: Read) {
  const { settings } = slack
  const messages: SlackMessage[] = []
  let cursor: string | undefined
  const name = channel === settings.channel_id ? settings.channel : 'a channel of a company'
  for (let page = 0; page < PAGES; page++) {
    const found: Page = await readAgain(() =>
      askAs(context, slack, (client) => read(client, cursor ? { cursor } : {}), name),
    )
    messages.push(...((found.messages ?? []) as SlackMessage[]))
    cursor = found.response_metadata?.next_cursor
    if (!cursor) return { messages, isWhole: true }
  }
  return { messages, isWhole: false }
}
