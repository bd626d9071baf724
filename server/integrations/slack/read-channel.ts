import type { ConversationsHistoryResponse, ConversationsRepliesResponse, WebClient } from '@slack/web-api'
import type { Context } from '../../context.ts'
import { retryRead } from '../../features/connections/authorizations/retry-read.ts'
import type { Slack } from './authorization.ts'
import { requestAs } from './token.ts'

/** A message in the shape of Slack's lists. */
export type SlackMessage = NonNullable<ConversationsHistoryResponse['messages']>[number]

const PAGE = 200
const PAGES = 50

interface MessageRange {
  channel: string
  /** In seconds, the form of Slack's message timestamps. */
  oldest: string
}

/** The messages of a channel since a time with our metadata, oldest first; incomplete if there are too many. */
export async function readHistory(
  context: Context,
  slack: Slack,
  { channel, oldest }: MessageRange,
): Promise<{ messages: SlackMessage[]; isWhole: boolean }> {
  const { messages, isWhole } = await readPages(context, slack, channel, (client, cursor) =>
    client.conversations.history({ channel, oldest, limit: PAGE, include_all_metadata: true, ...cursor }),
  )
  return { messages: messages.toReversed(), isWhole }
}

/** The replies of a thread since a time, oldest first, after its first message. */
export async function readReplies(
  context: Context,
  slack: Slack,
  { channel, oldest, ts }: MessageRange & { ts: string },
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
    const response: Page = await retryRead(() =>
      requestAs(context, slack, (client) => read(client, cursor ? { cursor } : {}), name),
    )
    messages.push(...((response.messages ?? []) as SlackMessage[]))
    cursor = response.response_metadata?.next_cursor
    if (!cursor) return { messages, isWhole: true }
  }
  return { messages, isWhole: false }
}
