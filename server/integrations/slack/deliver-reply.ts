import type { Message } from '#contract/conversations/messages.ts'
import type { Context } from '../../context.ts'
import {
  findSentAs,
  linkMessage,
  linkThread,
  listThreads,
  updateThread,
} from '../../features/connections/external-links/external-links.ts'
import {
  ERASED,
  type PostToDelete,
  readEraseSearch,
  readPostsToDelete,
} from '../../features/connections/mirrors/delete-posts.ts'
import { listUnsentBefore, readFirstMessage, readMessage } from '../../features/connections/mirrors/unsent-messages.ts'
import { getConversation, getConversationRow } from '../../features/conversations/conversations/conversations.ts'
import { type OpenDelivery, type Receipt, RetryLater } from '../../integration.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { asSlack, type Slack, type StoredSlack } from './authorization.ts'
import { changePost, removePost } from './change-post.ts'
import { findPosted } from './find-sent.ts'
import { CONVERSATION_METADATA } from './metadata.ts'
import { postInThread, waitForChannel } from './post.ts'
import { senderOf, statusOf, writeBody, writeRoot } from './root.ts'
import { requestAs } from './token.ts'

const DROPPED: Receipt = { dropped: true }

/** Sends a delivery to the team's channel. */
export async function deliverReply(context: Context, delivery: OpenDelivery<StoredSlack>): Promise<Receipt> {
  const { account_id, conversation_id, message_id, kind } = delivery
  const slack = asSlack(delivery.authorization)
  const postsToDelete = readPostsToDelete(delivery)
  if (postsToDelete) return deletePosts(context, slack, postsToDelete)
  const sought = readEraseSearch(delivery)
  if (sought) return deletePosts(context, slack, await findPosted(context, slack, sought))
  if (!conversation_id) return DROPPED
  if (kind === 'status') return showStatus(context, slack, conversation_id)
  if (!message_id) return DROPPED
  if (kind === 'post') return post(context, slack, conversation_id, message_id)
  const sent = await findSentAs(context.db, { account_id, authorization_id: slack.id }, message_id)
  if (!sent) return DROPPED
  const thread = await findMirror(context, slack, conversation_id)
  // The message is shown in the thread's first post, which is updated with it.
  if (thread?.thread === sent.external_id) return renderRoot(context, slack, conversation_id, thread)
  if (kind === 'remove') return removePost(context, slack, sent)
  const message = await readMessage(context.db, account_id, message_id)
  return message ? changePost(context, slack, sent, writeBody(message, addressOf(context, conversation_id))) : DROPPED
}

async function deletePosts(context: Context, slack: Slack, posts: PostToDelete[]): Promise<Receipt> {
  for (const sent of posts) {
    if (sent.is_root) {
      await changePost(context, slack, sent, ERASED, [{ type: 'section', text: { type: 'plain_text', text: ERASED } }])
    } else await removePost(context, slack, sent)
  }
  return {}
}

/** A conversation's thread in the currently connected channel. */
export async function findMirror({ db }: Pick<Context, 'db'>, slack: Slack, conversation_id: string) {
  const threads = await listThreads(db, slack.account_id, [conversation_id])
  return threads.find(
    ({ authorization_id, place: channel }) => authorization_id === slack.id && channel === slack.settings.channel_id,
  )
}

/** A conversation's first message in the channel includes everything written before. */
async function post(context: Context, slack: Slack, conversation_id: string, message_id: string): Promise<Receipt> {
  const { db } = context
  const { account_id, id: authorization_id, settings } = slack
  const message = await readMessage(db, account_id, message_id)
  if (!message) return DROPPED
  const thread =
    (await findMirror(context, slack, conversation_id))?.thread ?? (await beginThread(context, slack, conversation_id))
  await fillThread(context, slack, thread, message)
  const sent = await findSentAs(db, { account_id, authorization_id }, message_id)
  const external_id = sent?.external_id ?? (await postOne(context, slack, thread, message))
  return { place: settings.channel_id, external_id }
}

async function postOne(context: Context, slack: Slack, thread: string, message: Message): Promise<string> {
  const { customer, user, customer_id } = message
  return postInThread(context, slack, {
    channel: slack.settings.channel_id,
    thread,
    message_id: message.id,
    text: writeBody(message, addressOf(context, message.conversation_id)) || '_(no text)_',
    username: senderOf(message, customer),
    picture: customer_id ? null : (user?.profile_photo_url ?? null),
    ...(customer_id && { emoji: ':wave:' }),
  })
}

/** Posts the first message of a thread and stores it at once, because everything else depends on it. */
async function beginThread(context: Context, slack: Slack, conversation_id: string): Promise<string> {
  const { account_id, id: authorization_id, settings } = slack
  const channel = settings.channel_id
  const conversation = await getConversation(context.db, account_id, conversation_id, 'last')
  const first = await readFirstMessage(context.db, account_id, conversation_id)
  await waitForChannel(context, settings.team_id, channel)
  const root = writeRoot(conversation, first, addressOf(context, conversation_id))
  const event_payload = { conversation_id, authorization_id, message_id: first?.id ?? '' }
  const { ts } = await requestAs(
    context,
    slack,
    (client) =>
      client.chat.postMessage({
        channel,
        ...root,
        unfurl_links: false,
        unfurl_media: false,
        metadata: { event_type: CONVERSATION_METADATA, event_payload },
      }),
    settings.channel,
  )
  const channelKey = { account_id, authorization_id, place: channel }
  const thread = ts!
  await context.change(async (tx) => {
    await linkThread(tx, { ...channelKey, thread, conversation_id, role: 'mirror' })
    await updateThread(tx, channelKey, thread, { shown_status: statusOf(conversation) })
    if (first) await linkMessage(tx, { ...channelKey, external_id: thread, message_id: first.id, direction: 'out' })
  })
  await decorate(context, slack, thread)
  return thread
}

/** Adds a first line and the thread's address. Both are optional: Slack's refusals are ignored. */
async function decorate(context: Context, slack: Slack, thread: string): Promise<void> {
  const { account_id, id: authorization_id, settings } = slack
  const channel = settings.channel_id
  try {
    const response = await requestAs(context, slack, (client) =>
      client.chat.getPermalink({ channel, message_ts: thread }),
    )
    const permalink = response.permalink
    const channelKey = { account_id, authorization_id, place: channel }
    if (permalink) await context.change((tx) => updateThread(tx, channelKey, thread, { permalink }))
    await waitForChannel(context, settings.team_id, channel)
    const text = '(Send a message here to get started!)'
    await requestAs(context, slack, (client) => client.chat.postMessage({ channel, thread_ts: thread, text }))
  } catch (error) {
    context.log.info({ err: error, authorization_id }, 'The first line of a Slack thread could not be updated')
  }
}

/** Maximum time of one try. */
const TIMEOUT_MS = 60_000

/** Posts earlier messages that are missing in the thread, because nothing was connected then. */
async function fillThread(context: Context, slack: Slack, thread: string, message: Message): Promise<void> {
  const { account_id, id: authorization_id, settings } = slack
  const unsent = await listUnsentBefore(context.db, { account_id, authorization_id }, message)
  const started = Date.now()
  for (const before of unsent) {
    if (Date.now() - started > TIMEOUT_MS) {
      throw new RetryLater('Earlier messages are sent first.', { at: new Date(Date.now() + 1_000) })
    }
    const external_id = await postOne(context, slack, thread, before)
    const channelKey = { account_id, authorization_id, place: settings.channel_id }
    await context.change((tx) =>
      linkMessage(tx, { ...channelKey, external_id, message_id: before.id, direction: 'out' }),
    )
  }
}

const TIMES = 3

/** Shows the conversation's state. It may change again meanwhile, so it is checked once more. */
async function showStatus(context: Context, slack: Slack, conversation_id: string): Promise<Receipt> {
  const thread = await findMirror(context, slack, conversation_id)
  if (!thread) return DROPPED
  for (let time = 0; time < TIMES; time++) {
    const shown = statusOf(await getConversationRow(context.db, slack.account_id, conversation_id))
    const current = await findMirror(context, slack, conversation_id)
    if (!current || current.shown_status === shown) return time === 0 ? DROPPED : {}
    await renderRoot(context, slack, conversation_id, current)
  }
  return {}
}

/** Updates the first message of a thread to its conversation's current state. */
async function renderRoot(
  context: Context,
  slack: Slack,
  conversation_id: string,
  { thread }: { thread: string },
): Promise<Receipt> {
  const { account_id, id: authorization_id, settings } = slack
  const channel = settings.channel_id
  const conversation = await getConversation(context.db, account_id, conversation_id, 'last')
  const lastPosted = await readLastPosted(context, slack, thread)
  const root = writeRoot(conversation, lastPosted, addressOf(context, conversation_id))
  const receipt = await changePost(context, slack, { place: channel, external_id: thread }, root.text, root.blocks)
  const channelKey = { account_id, authorization_id, place: channel }
  await context.change((tx) => updateThread(tx, channelKey, thread, { shown_status: statusOf(conversation) }))
  return receipt
}

/** The message shown in a thread's first post; undefined if it was deleted. */
async function readLastPosted({ db }: Context, { account_id, id, settings }: Slack, thread: string) {
  const last = await ofAccount(db, account_id)
    .selectFrom('external_messages')
    .select('message_id')
    .where('authorization_id', '=', id)
    .where('place', '=', settings.channel_id)
    .where('external_id', '=', thread)
    .executeTakeFirst()
  return last?.message_id ? readMessage(db, account_id, last.message_id) : undefined
}

function addressOf({ config }: Pick<Context, 'config'>, conversation_id: string): string {
  return `${config.baseUrl}/conversations/all/${conversation_id}`
}
