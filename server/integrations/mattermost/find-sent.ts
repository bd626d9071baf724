import { isId } from '#contract/wire.ts'
import type { Context } from '../../context.ts'
import { retryRead } from '../../features/connections/authorizations/retry-read.ts'
import { VendorRefused } from '../../features/connections/authorizations/vendor-call.ts'
import { findSentAs, linkMessage } from '../../features/connections/external-links/external-links.ts'
import type { EraseSearch, PostToDelete } from '../../features/connections/mirrors/delete-posts.ts'
import type { OpenDelivery, Receipt } from '../../integration.ts'
import { accessOf, type Mattermost } from './authorization.ts'
import { requestMattermost } from './client.ts'
import { type Post, readPosts } from './events.ts'
import { recordThread } from './threads.ts'

/** Allows for clock differences. */
const CLOCKS_MS = 10 * 60_000

/** Looks for a message of unknown outcome by the properties we gave its post, and records what it finds. */
export async function findSent(context: Context, delivery: OpenDelivery<Mattermost>): Promise<Receipt | undefined> {
  const { account_id, conversation_id, message_id, kind, created_at } = delivery
  const mattermost = delivery.authorization
  if (kind !== 'post' || !conversation_id || !message_id) return undefined
  const { settings, id: authorization_id } = mattermost
  const channelKey = { account_id, authorization_id, place: settings.channel_id }
  for (const { id, props, root_id } of await listOwnPosts(context, mattermost, created_at)) {
    const { parley_message_id: postedMessageId, parley_conversation_id: about } = props ?? {}
    if (typeof postedMessageId !== 'string' || !isId(postedMessageId)) continue
    if (root_id)
      await context.change((tx) =>
        linkMessage(tx, { ...channelKey, external_id: id, message_id: postedMessageId, direction: 'out' }),
      )
    else if (about === conversation_id)
      await recordThread(context, mattermost, { conversation_id, thread: id, message_id: postedMessageId })
  }
  const sent = await findSentAs(context.db, channelKey, message_id)
  return sent && { place: sent.place, external_id: sent.external_id }
}

/** Our posts about a conversation, found by their properties: the conversation no longer exists here. */
export async function findPosted(
  context: Context,
  mattermost: Mattermost,
  { conversation_id, since, threads }: EraseSearch,
): Promise<PostToDelete[]> {
  const { id: authorization_id, settings } = mattermost
  const ownRoots = (await listOwnPosts(context, mattermost, since)).filter(
    ({ root_id, props }) =>
      !root_id &&
      props?.parley_conversation_id === conversation_id &&
      props.parley_authorization_id === authorization_id,
  )
  const roots = new Set([...threads.map(({ thread }) => thread), ...ownRoots.map(({ id }) => id)])
  const posts = await Promise.all([...roots].map((root) => listOwnOfThread(context, mattermost, root)))
  return posts.flat().map(({ id, root_id }) => ({ place: settings.channel_id, external_id: id, is_root: !root_id }))
}

/** Our bot's posts in the channel since a time. */
async function listOwnPosts(context: Context, mattermost: Mattermost, since: string): Promise<Post[]> {
  const { channel_id } = mattermost.settings
  const oldest = Date.parse(since) - CLOCKS_MS
  return listOwn(context, mattermost, `/channels/${encodeURIComponent(channel_id)}/posts?since=${oldest}`)
}

/** Our bot's posts in a thread, which may have been deleted. */
async function listOwnOfThread(context: Context, mattermost: Mattermost, root: string): Promise<Post[]> {
  try {
    return await listOwn(context, mattermost, `/posts/${encodeURIComponent(root)}/thread`)
  } catch (error) {
    if (error instanceof VendorRefused && error.status === 404) return []
    throw error
  }
}

async function listOwn(context: Context, mattermost: Mattermost, path: string): Promise<Post[]> {
  const posts = readPosts(await retryRead(() => requestMattermost(context, accessOf(mattermost), { path })))
  return posts.filter(({ user_id, delete_at }) => user_id === mattermost.settings.bot_user_id && !delete_at)
}
