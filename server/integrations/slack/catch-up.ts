import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { saveCursor } from '../../features/connections/authorizations/connect.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import type { Slack } from './authorization.ts'
import { SlackRefused } from './client.ts'
import { SlackEvent } from './events.ts'
import { readHistory, readReplies, type SlackMessage } from './read-channel.ts'
import { storeEvent } from './store-events.ts'

/** Events may be late; repeated ones are stored once. */
const OVERLAP_S = 120
/** Maximum number of threads to check: those with the latest messages here. */
const THREADS = 2_000
const DAYS = 7
const CHANNELS = 50

/** Imports messages in a connection's channels since they were last read, or since a given second. */
export async function catchUp(context: Context, slack: Slack, from?: number): Promise<void> {
  const now = Date.now() / 1000
  const since = from ?? Number(slack.cursor?.ts ?? now)
  const oldest = (since - OVERLAP_S).toFixed(6)
  const channels = slack.integration === 'slack:sync' ? await listChannelIds(context, slack) : []
  for (const channel of channels) {
    const { messages } = await readHistory(context, slack, { channel, oldest })
    await storeMessages(context, slack, channel, messages)
  }
  const threads = await listRecentThreads(context, slack, since)
  for (const [channel, group] of Map.groupBy(threads, ({ place }) => place)) {
    for (const ts of await listAnswered(context, slack, {
      channel,
      threads: group.map(({ thread }) => thread),
      oldest,
    })) {
      await storeMessages(context, slack, channel, await readThread(context, slack, { channel, ts, oldest }))
    }
  }
  await context.change((tx) => saveCursor(tx, slack.account_id, slack.id, { ts: now.toFixed(6) }))
}

/** Channels where customers write. */
async function listChannelIds({ db }: Context, { account_id, settings }: Slack): Promise<string[]> {
  const companies = await ofAccount(db, account_id)
    .selectFrom('companies')
    .select('slack_channel_id')
    .where('slack_channel_id', 'is not', null)
    .where((eb) => eb.or([eb('slack_team_id', 'is', null), eb('slack_team_id', '=', settings.team_id)]))
    .orderBy('updated_at', 'desc')
    .limit(CHANNELS)
    .execute()
  return [...new Set([settings.channel_id, ...companies.map(({ slack_channel_id }) => slack_channel_id!)])]
}

/** Threads of conversations that are open, or were recently. */
function listRecentThreads({ db }: Context, { account_id, id }: Slack, since: number) {
  const before = new Date((since - DAYS * 86_400) * 1000).toISOString()
  return ofAccount(db, account_id)
    .selectFrom('external_threads')
    .innerJoin('conversations', (join) =>
      join
        .onRef('conversations.account_id', '=', 'external_threads.account_id')
        .onRef('conversations.id', '=', 'external_threads.conversation_id'),
    )
    .select(['place', 'thread'])
    .where('authorization_id', '=', id)
    .where('conversations.last_activity_at', '>', before)
    .orderBy('conversations.last_activity_at', 'desc')
    .limit(THREADS)
    .execute()
}

interface Threads {
  channel: string
  threads: string[]
  oldest: string
}

/** Those of these threads with new replies, according to the channel's list, so that not each one has to be read. */
async function listAnswered(context: Context, slack: Slack, { channel, threads, oldest }: Threads): Promise<string[]> {
  const first = Math.min(...threads.map(Number))
  const { messages, isWhole } = await readHistory(context, slack, { channel, oldest: (first - 1).toFixed(6) })
  const roots = new Map(messages.map((message) => [message.ts, message]))
  return threads.filter((thread) => {
    const root = roots.get(thread)
    if (!root) return !isWhole
    return !!root.reply_count && Number(root.latest_reply ?? Number.POSITIVE_INFINITY) >= Number(oldest)
  })
}

/** New replies in a thread; empty if the thread was deleted. */
async function readThread(
  context: Context,
  slack: Slack,
  { channel, ts, oldest }: { channel: string; ts: string; oldest: string },
): Promise<SlackMessage[]> {
  try {
    const replies = await readReplies(context, slack, { channel, ts, oldest })
    // The response always includes the thread's first message.
    return replies.filter((reply) => reply.ts !== ts && Number(reply.ts) >= Number(oldest))
  } catch (error) {
    if (error instanceof SlackRefused && error.code === 'thread_not_found') return []
    throw error
  }
}

async function storeMessages(
  context: Context,
  { settings }: Slack,
  channel: string,
  messages: SlackMessage[],
): Promise<void> {
  for (const message of messages) {
    const event = z.safeParse(SlackEvent, { ...message, type: 'message', channel })
    if (!event.success) continue
    const { team_id, app_id } = settings
    await storeEvent(context, {
      team_ids: [team_id],
      app_id: app_id ?? undefined,
      event_id: undefined,
      event: event.data,
    })
  }
}
