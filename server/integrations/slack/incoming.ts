import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { Forbidden } from '../../errors.ts'
import { recordFailure } from '../../features/connections/authorizations/health.ts'
import { findMessage, linkMessage } from '../../features/connections/external-links/external-links.ts'
import { withEmoji } from '../../features/connections/mirrors/emoji.ts'
import type { Author } from '../../features/conversations/conversations/message-author.ts'
import { postMessage } from '../../features/conversations/conversations/posting.ts'
import { ConnectionRevoked, type InboundOutcome, ignored, type ReceivedEvent } from '../../integration.ts'
import type { Change } from '../../platform/db/change.ts'
import { deriveId } from '../../platform/secrets.ts'
import { loadSlack, type Slack } from './authorization.ts'
import { catchUp } from './catch-up.ts'
import { SlackEvent, type SlackMessage } from './events.ts'
import { type StoredFiles, storeFiles } from './files.ts'
import { fromMrkdwn, mentionedIn } from './format.ts'
import { readNames } from './people.ts'
import { requestAs } from './token.ts'

const Stored = z.object({ event: SlackEvent })

/** Handles an event of a connection that still exists. */
export async function receive(
  context: Context,
  { account_id, authorization_id, payload }: ReceivedEvent,
  work: (slack: Slack, event: SlackEvent) => Promise<InboundOutcome>,
): Promise<InboundOutcome> {
  const slack = authorization_id ? await loadSlack(context, account_id, authorization_id) : undefined
  if (!slack) return ignored('Its channel has been disconnected.')
  const stored = z.safeParse(Stored, payload)
  if (!stored.success) return ignored('Its type is unknown.')
  const { event } = stored.data
  if (event.type === 'app_uninstalled' || event.type === 'tokens_revoked') return checkToken(context, slack)
  if (event.type === 'app_rate_limited') {
    await catchUp(context, slack, event.minute_rate_limited)
    return { state: 'done' }
  }
  try {
    return await work(slack, event)
  } catch (error) {
    if (error instanceof Forbidden) return ignored('The customer is blocked.')
    throw error
  }
}

/** An uninstall event may be old: the app may have been installed again since. */
async function checkToken(context: Context, slack: Slack): Promise<InboundOutcome> {
  try {
    await requestAs(context, slack, (client) => client.auth.test())
    return ignored('The token works.')
  } catch (error) {
    if (!(error instanceof ConnectionRevoked)) throw error
    await recordFailure(context, slack, error)
    return { state: 'done' }
  }
}

/** A message with everything needed to post it. */
export interface PreparedMessage {
  message: SlackMessage
  body: string
  files: StoredFiles
}

/** Reads a message and fetches what it needs. Undefined if it has no content. */
export async function prepareMessage(
  context: Context,
  slack: Slack,
  message: SlackMessage,
): Promise<PreparedMessage | undefined> {
  const text = message.text ?? ''
  const body = await withEmoji(fromMrkdwn(text, await readNames(context, slack, mentionedIn(text))))
  const files = await storeFiles(context, slack, message.files ?? [])
  return body || files.file_ids.length || files.lines.length ? { message, body, files } : undefined
}

interface ThreadTarget {
  channel: string
  conversation_id: string
}

/** Posts a message, once however often its event arrives. */
export async function postPrepared(
  context: Context,
  tx: Change,
  slack: Slack,
  { channel, conversation_id }: ThreadTarget,
  { message, files }: PreparedMessage,
  author: Author,
  draft: { body: string; isPrivate?: boolean; metadata?: Record<string, unknown>; external_author?: string },
): Promise<InboundOutcome> {
  const { account_id, id: authorization_id } = slack
  const id = messageIdOf(slack, channel, message)
  const channelKey = { account_id, authorization_id, place: channel }
  const isNew = await linkMessage(tx, { ...channelKey, external_id: message.ts, message_id: id, direction: 'in' })
  if (!isNew) {
    const link = await findMessage(tx.db, channelKey, message.ts)
    if (link?.message_id !== id) return ignored('It was already received.')
    return { state: 'done', conversation_id, message_id: id }
  }
  const { isPrivate = false, metadata, external_author } = draft
  await postMessage(context, tx, account_id, author, {
    id,
    conversation_id,
    body: draft.body,
    source: 'slack',
    type: isPrivate ? 'note' : 'reply',
    private: isPrivate,
    file_ids: files.file_ids,
    ...(metadata && { metadata }),
    external_author,
  })
  return { state: 'done', conversation_id, message_id: id }
}

/** Derived, so that it is the same however often and in whatever way the message arrives. */
export function messageIdOf({ id, settings }: Slack, channel: string, { ts }: SlackMessage): string {
  return deriveId(`slack ${id} ${settings.team_id} ${channel} ${ts}`)
}
