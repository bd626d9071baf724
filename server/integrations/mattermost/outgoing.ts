import * as z from 'zod/mini'
import { userName } from '#contract/accounts/users.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { Message } from '#contract/conversations/messages.ts'
import { displayName } from '#contract/customers/customers.ts'
import { isolate } from '#contract/text/isolate.ts'
import type { Context } from '../../context.ts'
import { VendorRefused } from '../../features/connections/authorizations/vendor-call.ts'
import { findSentAs, linkMessage } from '../../features/connections/external-links/external-links.ts'
import {
  ERASED,
  type PostToDelete,
  readEraseSearch,
  readPostsToDelete,
} from '../../features/connections/mirrors/delete-posts.ts'
import { listUnsentBefore, readFirstMessage, readMessage } from '../../features/connections/mirrors/unsent-messages.ts'
import { getConversation } from '../../features/conversations/conversations/conversations.ts'
import { type OpenDelivery, type Receipt, RetryLater } from '../../integration.ts'
import { accessOf, type Mattermost } from './authorization.ts'
import { requestMattermost } from './client.ts'
import { findPosted } from './find-sent.ts'
import { disableMentions, toMarkdown } from './format.ts'
import { findMirror, recordThread } from './threads.ts'

const DROPPED: Receipt = { dropped: true }
const Sent = z.object({ id: z.string() })
/** Maximum time of one try. */
const TIMEOUT_MS = 60_000

/** Sends a delivery to the team's channel. */
export async function deliverToMattermost(context: Context, delivery: OpenDelivery<Mattermost>): Promise<Receipt> {
  const { account_id, conversation_id, message_id, kind } = delivery
  const mattermost = delivery.authorization
  const postsToDelete = readPostsToDelete(delivery)
  if (postsToDelete) return deletePosts(context, mattermost, postsToDelete)
  const sought = readEraseSearch(delivery)
  if (sought) return deletePosts(context, mattermost, await findPosted(context, mattermost, sought))
  if (!conversation_id || !message_id) return DROPPED
  if (kind === 'post') return post(context, mattermost, conversation_id, message_id)
  const sent = await findSentAs(context.db, { account_id, authorization_id: mattermost.id }, message_id)
  if (!sent) return DROPPED
  const path = `/posts/${encodeURIComponent(sent.external_id)}`
  const thread = await findMirror(context, mattermost, conversation_id)
  const message = await readMessage(context.db, account_id, message_id)
  const isRoot = thread?.thread === sent.external_id
  if (!message && !isRoot)
    return unlessDeleted(() => requestMattermost(context, accessOf(mattermost), { path, method: 'DELETE' }))
  const conversation = await getConversation(context.db, account_id, conversation_id, 'last')
  const text = isRoot ? writeRoot(context, conversation, message) : writeMessage(context, conversation, message!)
  return unlessDeleted(() =>
    requestMattermost(context, accessOf(mattermost), { path: `${path}/patch`, method: 'PUT', json: { message: text } }),
  )
}

/** Deleting a thread's first post would delete the whole thread, including posts of people. */
async function deletePosts(context: Context, mattermost: Mattermost, posts: PostToDelete[]): Promise<Receipt> {
  for (const { external_id, is_root } of posts) {
    const path = `/posts/${encodeURIComponent(external_id)}`
    const call = is_root
      ? ({ path: `${path}/patch`, method: 'PUT', json: { message: ERASED } } as const)
      : ({ path, method: 'DELETE' } as const)
    await unlessDeleted(() => requestMattermost(context, accessOf(mattermost), call))
  }
  return {}
}

/** The post may have been deleted there. */
async function unlessDeleted(work: () => Promise<unknown>): Promise<Receipt> {
  try {
    await work()
    return {}
  } catch (error) {
    if (error instanceof VendorRefused && error.status === 404) return DROPPED
    throw error
  }
}

/** The first message of a thread includes everything written before. */
async function post(
  context: Context,
  mattermost: Mattermost,
  conversation_id: string,
  message_id: string,
): Promise<Receipt> {
  const { account_id, id: authorization_id, settings } = mattermost
  const message = await readMessage(context.db, account_id, message_id)
  if (!message) return DROPPED
  const conversation = await getConversation(context.db, account_id, conversation_id, 'last')
  const thread =
    (await findMirror(context, mattermost, conversation_id))?.thread ??
    (await beginThread(context, mattermost, conversation))
  const channelKey = { account_id, authorization_id, place: settings.channel_id }
  const started = Date.now()
  for (const before of await listUnsentBefore(context.db, channelKey, message)) {
    if (Date.now() - started > TIMEOUT_MS) {
      throw new RetryLater('Earlier messages are sent first.', { at: new Date(Date.now() + 1_000) })
    }
    const external_id = await postInThread(context, mattermost, conversation, thread, before)
    await context.change((tx) =>
      linkMessage(tx, { ...channelKey, external_id, message_id: before.id, direction: 'out' }),
    )
  }
  const sent = await findSentAs(context.db, channelKey, message_id)
  const external_id = sent?.external_id ?? (await postInThread(context, mattermost, conversation, thread, message))
  return { place: settings.channel_id, external_id }
}

async function beginThread(context: Context, mattermost: Mattermost, conversation: Conversation): Promise<string> {
  const { account_id, id: authorization_id, settings } = mattermost
  const first = await readFirstMessage(context.db, account_id, conversation.id)
  const props = {
    parley_conversation_id: conversation.id,
    parley_authorization_id: authorization_id,
    parley_message_id: first?.id ?? '',
  }
  const json = { channel_id: settings.channel_id, message: writeRoot(context, conversation, first), props }
  const { id: thread } = z.parse(
    Sent,
    await requestMattermost(context, accessOf(mattermost), { path: '/posts', method: 'POST', json }),
  )
  await recordThread(context, mattermost, { conversation_id: conversation.id, thread, message_id: first?.id })
  return thread
}

async function postInThread(
  context: Context,
  mattermost: Mattermost,
  conversation: Conversation,
  root_id: string,
  message: Message,
): Promise<string> {
  const json = {
    channel_id: mattermost.settings.channel_id,
    root_id,
    message: writeMessage(context, conversation, message),
    props: { parley_message_id: message.id },
  }
  return z.parse(Sent, await requestMattermost(context, accessOf(mattermost), { path: '/posts', method: 'POST', json }))
    .id
}

/** The first post of a thread. If its message was deleted, the rest stays. */
function writeRoot(context: Context, conversation: Conversation, message: Message | undefined): string {
  const { customer, subject } = conversation
  const text = message
    ? writeMessage(context, conversation, message)
    : `*:wave: ${isolate(plain(displayName(customer)))}*: *(deleted)*`
  const about = subject ? `**${plain(subject)}**\n\n` : ''
  const hint = `Reply in this thread to answer, or begin with \`;;\` for a private note. [View in the dashboard](${addressOf(context, conversation)})`
  return `${about}${text}\n\n${hint}`
}

/** A message with its author and links to its files. */
function writeMessage(context: Context, conversation: Conversation, message: Message): string {
  const { customer } = conversation
  const { private: isPrivate, attachments, customer_id, type, user } = message
  const sender = customer_id
    ? `:wave: ${isolate(plain(displayName(customer)))}`
    : type === 'bot' && !user
      ? ':robot: Bot'
      : `:woman_technologist: ${isolate(plain(userName(user)))}`
  const text = toMarkdown(message, addressOf(context, conversation))
  const files = attachments.map(({ filename, file_url }) => `[${plain(filename)}](${file_url})`)
  return [`*${sender}*: ${isPrivate && text ? `\\\\\\\\ *${text}*` : text}`, ...files].join('\n')
}

function addressOf({ config }: Context, { id }: Conversation): string {
  return `${config.baseUrl}/conversations/all/${id}`
}

/** Escapes markup in a name. */
function plain(text: string): string {
  return disableMentions(text).replaceAll(/[\\*_[\]()`~|<>]/g, '')
}
