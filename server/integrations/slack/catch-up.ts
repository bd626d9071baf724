import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { saveCursor } from '../../features/authorizations/connect.ts'
import type { Slack } from './authorization.ts'
import { ask } from './client.ts'
import { SlackEvent } from './events.ts'
import { takeEvent } from './take-events.ts'

/** Events may be told a little late; what is told twice is stored once. */
const OVERLAP_S = 120
const PAGE = 200
/** Threads that are looked at: those in which most lately something was said. */
const THREADS = 50
const CHANNELS = 50

/** Takes in what was written in the channels of a connection since it was last read. */
export async function catchUp(context: Context, slack: Slack): Promise<void> {
  const now = Date.now() / 1000
  const since = Number((slack.cursor as { ts?: string } | null)?.ts ?? now)
  const oldest = (since - OVERLAP_S).toFixed(6)
  const places = slack.integration === 'slack:sync' ? await listPlaces(context, slack) : []
  for (const channel of places) await readChannel(context, slack, channel, oldest)
  for (const { place, thread } of await listBusyThreads(context, slack, since)) {
    await readThread(context, slack, { channel: place, ts: thread, oldest })
  }
  await context.change((open) => saveCursor(open, slack.account_id, slack.id, { ts: now.toFixed(6) }))
}

/** Channels where customers write. */
async function listPlaces({ db }: Context, { account_id, settings }: Slack): Promise<string[]> {
  const companies = await db
    .selectFrom('companies')
    .select('slack_channel_id')
    .where('account_id', '=', account_id)
    .where('slack_channel_id', 'is not', null)
    .where((one) => one.or([one('slack_team_id', 'is', null), one('slack_team_id', '=', settings.team_id)]))
    .orderBy('updated_at', 'desc')
    .limit(CHANNELS)
    .execute()
  return [...new Set([settings.channel_id, ...companies.map(({ slack_channel_id }) => slack_channel_id!)])]
}

/** Threads of conversations that are open, or were not long before. */
function listBusyThreads({ db }: Context, { account_id, id }: Slack, since: number) {
  const before = new Date((since - 7 * 86_400) * 1000).toISOString()
  return db
    .selectFrom('external_threads')
    .innerJoin('conversations', (join) =>
      join
        .onRef('conversations.account_id', '=', 'external_threads.account_id')
        .onRef('conversations.id', '=', 'external_threads.conversation_id'),
    )
    .select(['place', 'thread'])
    .where('external_threads.account_id', '=', account_id)
    .where('authorization_id', '=', id)
    .where('conversations.last_activity_at', '>', before)
    .orderBy('conversations.last_activity_at', 'desc')
    .limit(THREADS)
    .execute()
}

async function readChannel(context: Context, slack: Slack, channel: string, oldest: string): Promise<void> {
  const found = await ask(
    context,
    slack.credentials.bot_token,
    (client) => client.conversations.history({ channel, oldest, limit: PAGE }),
    channel === slack.settings.channel_id ? slack.settings.channel : 'a channel of a company',
  )
  await takeMessages(context, slack, channel, (found.messages ?? []).toReversed())
}

async function readThread(
  context: Context,
  slack: Slack,
  { channel, ts, oldest }: { channel: string; ts: string; oldest: string },
): Promise<void> {
  const found = await ask(context, slack.credentials.bot_token, (client) =>
    client.conversations.replies({ channel, ts, oldest, limit: PAGE }),
  )
  // The first message of the thread comes along, however old it is.
  const replies = (found.messages ?? []).filter((one) => one.ts !== ts && Number(one.ts) >= Number(oldest))
  await takeMessages(context, slack, channel, replies)
}

async function takeMessages(context: Context, { settings }: Slack, channel: string, messages: object[]): Promise<void> {
  for (const message of messages) {
    const event = z.safeParse(SlackEvent, { ...message, type: 'message', channel })
    if (!event.success) continue
    const { team_id, app_id } = settings
    await takeEvent(context, { team_id, app_id: app_id ?? undefined, event_id: undefined, event: event.data })
  }
}
