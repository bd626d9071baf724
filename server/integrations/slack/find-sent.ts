import { isId } from '#contract/wire.ts'
import type { Context } from '../../context.ts'
import {
  findSentAs,
  linkMessage,
  linkThread,
  listThreads,
} from '../../features/connections/external-links/external-links.ts'
import type { EraseSearch, PostToDelete } from '../../features/connections/mirrors/delete-posts.ts'
import type { OpenDelivery, Receipt } from '../../integration.ts'
import { asSlack, type Slack, type StoredSlack } from './authorization.ts'
import { SlackRefused } from './client.ts'
import { CONVERSATION_METADATA, MESSAGE_METADATA } from './metadata.ts'
import { readHistory, readReplies } from './read-channel.ts'

/** Nothing can have been sent before the delivery was stored; allows for clock differences. */
const CLOCKS_MS = 10 * 60_000

/** Looks in Slack for a message of unknown outcome by the metadata of our posts, and records what it finds. */
export async function findSent(context: Context, delivery: OpenDelivery<StoredSlack>): Promise<Receipt | undefined> {
  const { account_id, conversation_id, message_id, kind } = delivery
  const slack = asSlack(delivery.authorization)
  if (kind !== 'post' || !conversation_id || !message_id) return undefined
  const oldest = oldestOf(delivery.created_at)
  const list = async () =>
    (await listThreads(context.db, account_id, [conversation_id])).filter(
      ({ authorization_id }) => authorization_id === slack.id,
    )
  if ((await list()).length === 0) await findRoot(context, slack, conversation_id, oldest)
  for (const thread of await list()) await findPosts(context, slack, thread, oldest)
  const sent = await findSentAs(context.db, { account_id, authorization_id: slack.id }, message_id)
  return sent && { place: sent.place, external_id: sent.external_id }
}

/** Our posts about a conversation, found by their metadata: the conversation no longer exists here. */
export async function findPosted(
  context: Context,
  slack: Slack,
  { conversation_id, since, threads }: EraseSearch,
): Promise<PostToDelete[]> {
  const channel = slack.settings.channel_id
  const oldest = oldestOf(since)
  const isKnown = threads.some(({ place: channelId }) => channelId === channel)
  const { messages } = isKnown ? { messages: [] } : await readHistory(context, slack, { channel, oldest })
  const ownRoots = (messages as ListedMessage[]).filter((message) => isRootOf(message, slack, conversation_id))
  const roots = [...threads, ...ownRoots.flatMap(({ ts }) => (ts ? [{ place: channel, thread: ts }] : []))]
  const posts = await Promise.all(
    roots.map(async ({ place, thread }) => [
      { place, external_id: thread, is_root: true },
      ...(await listOwnReplies(context, slack, { place, thread }, oldest)).map(({ ts }) => ({
        place,
        external_id: ts,
        is_root: false,
      })),
    ]),
  )
  return posts.flat()
}

function oldestOf(created_at: string): string {
  return String((Date.parse(created_at) - CLOCKS_MS) / 1000)
}

interface ListedMessage {
  ts?: string
  user?: string
  metadata?: { event_type?: string; event_payload?: object }
}

async function findRoot(context: Context, slack: Slack, conversation_id: string, oldest: string): Promise<void> {
  const { account_id, id: authorization_id, settings } = slack
  const channel = settings.channel_id
  const { messages } = await readHistory(context, slack, { channel, oldest })
  const root = messages.find((message) => isRootOf(message as ListedMessage, slack, conversation_id)) as
    | ListedMessage
    | undefined
  if (!root?.ts) return
  const thread = root.ts
  const { message_id } = (root.metadata?.event_payload ?? {}) as { message_id?: unknown }
  const channelKey = { account_id, authorization_id, place: channel }
  await context.change(async (tx) => {
    await linkThread(tx, { ...channelKey, thread, conversation_id, role: 'mirror' })
    if (typeof message_id === 'string' && isId(message_id)) {
      await linkMessage(tx, { ...channelKey, external_id: thread, message_id, direction: 'out' })
    }
  })
}

function isRootOf({ user, metadata }: ListedMessage, slack: Slack, conversation_id: string): boolean {
  const payload = metadata?.event_payload as { conversation_id?: unknown; authorization_id?: unknown } | undefined
  return (
    user === slack.settings.bot_user_id &&
    metadata?.event_type === CONVERSATION_METADATA &&
    payload?.conversation_id === conversation_id &&
    payload?.authorization_id === slack.id
  )
}

async function findPosts(context: Context, slack: Slack, thread: Thread, oldest: string): Promise<void> {
  const { account_id, id: authorization_id } = slack
  const channelKey = { account_id, authorization_id, place: thread.place }
  for (const { ts, message_id } of await listOwnReplies(context, slack, thread, oldest)) {
    await context.change((tx) => linkMessage(tx, { ...channelKey, external_id: ts, message_id, direction: 'out' }))
  }
}

interface Thread {
  place: string
  thread: string
}

/** Our bot's posts in a thread since a time. The thread may have been deleted. */
async function listOwnReplies(
  context: Context,
  slack: Slack,
  { place: channel, thread }: Thread,
  oldest: string,
): Promise<{ ts: string; message_id: string }[]> {
  const messages = await readReplies(context, slack, { channel, ts: thread, oldest }).catch((error: unknown) => {
    if (error instanceof SlackRefused && error.code === 'thread_not_found') return []
    throw error
  })
  return (messages as ListedMessage[]).flatMap(({ ts, user, metadata }) => {
    const { message_id } = (metadata?.event_payload ?? {}) as { message_id?: unknown }
    const isOurs = user === slack.settings.bot_user_id && metadata?.event_type === MESSAGE_METADATA
    return isOurs && ts && typeof message_id === 'string' && isId(message_id) ? [{ ts, message_id }] : []
  })
}
