import { isId } from '#contract/wire.ts'
import type { Context } from '../../context.ts'
import { findThread, linkThread, listThreads } from '../../features/connections/external-links/external-links.ts'
import { chooseUser, findTeamMember } from '../../features/connections/mirrors/author.ts'
import { postMissingFiles } from '../../features/connections/mirrors/missing-files.ts'
import { readNote } from '../../features/connections/mirrors/notes.ts'
import { receiveOrExplain } from '../../features/connections/mirrors/unsendable-reply.ts'
import { getConversationRow } from '../../features/conversations/conversations/conversations.ts'
import { updateConversation } from '../../features/conversations/conversations/updating.ts'
import { type InboundOutcome, ignored, type ReceivedEvent } from '../../integration.ts'
import type { Change } from '../../platform/db/change.ts'
import type { Slack } from './authorization.ts'
import { isUserMessage, messageOf, type SlackEvent, type SlackMessage, threadOf } from './events.ts'
import { postPrepared, prepareMessage, receive } from './incoming.ts'
import { receiveChange } from './incoming-changes.ts'
import { CONVERSATION_METADATA } from './metadata.ts'
import { readPerson } from './people.ts'
import { requestAs } from './token.ts'

/** Handles an event in the team's channel. */
export function receiveReply(context: Context, event: ReceivedEvent): Promise<InboundOutcome> {
  return receive(context, event, (slack, slackEvent) => workOn(context, slack, slackEvent))
}

async function workOn(context: Context, slack: Slack, event: SlackEvent): Promise<InboundOutcome> {
  if (event.type === 'press') return handlePress(context, slack, event)
  if (event.type !== 'message') return ignored('Events of this type are ignored.')
  const message = messageOf(event)
  const conversation_id = await findConversationOf(context, slack, event.channel, threadOf(message))
  if (!conversation_id) return ignored('It is in no thread of a conversation.')
  const isChange = event.subtype === 'message_changed' || event.subtype === 'message_deleted'
  const changed = isChange ? await receiveChange(context, slack, event) : undefined
  return changed ?? receiveAnswer(context, slack, { channel: event.channel, conversation_id }, message)
}

/** A message in a thread is a reply, or a note. */
async function receiveAnswer(
  context: Context,
  slack: Slack,
  target: { channel: string; conversation_id: string },
  message: SlackMessage,
): Promise<InboundOutcome> {
  const prepared = isUserMessage(message) ? await prepareMessage(context, slack, message) : undefined
  if (!prepared) return ignored('It has no content.')
  const { account_id } = slack
  const { assignee_id } = await getConversationRow(context.db, account_id, target.conversation_id)
  const person = await readPerson(context, slack, message.user!, message.user_team)
  const user_id = await chooseUser(context.db, account_id, person, assignee_id)
  const isKnown = !!(await findTeamMember(context.db, account_id, person))
  const { isPrivate, text } = readNote(prepared.body)
  const { conversation_id } = target
  const reply = { account_id, authorization_id: slack.id, conversation_id, external_id: message.ts }
  const draft = { body: text, isPrivate, ...(!isKnown && { external_author: person.name ?? 'Somebody' }) }
  const post = async (tx: Change) => {
    const isEmpty = !text && prepared.files.file_ids.length === 0
    const outcome = isEmpty
      ? ignored('It contains only a file, which could not be stored.')
      : await postPrepared(context, tx, slack, target, prepared, { kind: 'user', user_id }, draft)
    await postMissingFiles(context, tx, { ...reply, source: 'slack', lines: prepared.files.lines })
    return outcome
  }
  return receiveOrExplain(context, { ...reply, vendor: 'Slack', text }, () => context.change(post))
}

/**
 * The conversation of a thread: as stored, else by the metadata of its first message, which is ours. So no reply is
 * lost if a server died between posting that message and storing it.
 */
async function findConversationOf(
  context: Context,
  slack: Slack,
  channel: string,
  thread: string,
): Promise<string | undefined> {
  const { account_id, id: authorization_id } = slack
  const channelKey = { account_id, authorization_id, place: channel }
  const link = await findThread(context.db, channelKey, thread)
  if (link) return link.conversation_id
  const response = await requestAs(context, slack, (client) =>
    client.conversations.replies({ channel, ts: thread, limit: 1, include_all_metadata: true }),
  )
  const root = response.messages?.[0]
  const { event_type, event_payload } = root?.metadata ?? {}
  const { conversation_id, authorization_id: named } = (event_payload ?? {}) as Record<string, unknown>
  const isOurs =
    root?.user === slack.settings.bot_user_id && event_type === CONVERSATION_METADATA && named === authorization_id
  if (!isOurs || typeof conversation_id !== 'string' || !isId(conversation_id)) return undefined
  await getConversationRow(context.db, account_id, conversation_id)
  await context.change((tx) => linkThread(tx, { ...channelKey, thread, conversation_id, role: 'mirror' }))
  return conversation_id
}

const STATUSES: Record<string, 'open' | 'closed'> = { close_conversation: 'closed', open_conversation: 'open' }

async function handlePress(
  context: Context,
  slack: Slack,
  { user, user_team, action, value }: Extract<SlackEvent, { type: 'press' }>,
): Promise<InboundOutcome> {
  const status = STATUSES[action]
  const { account_id } = slack
  const threads = status && isId(value) ? await listThreads(context.db, account_id, [value]) : []
  if (!status || !threads.some(({ authorization_id }) => authorization_id === slack.id)) {
    return ignored('The button does not belong to Parley.')
  }
  const { assignee_id } = await getConversationRow(context.db, account_id, value)
  const person = await readPerson(context, slack, user, user_team)
  const user_id = await chooseUser(context.db, account_id, person, assignee_id)
  await context.change((tx) => updateConversation(tx, { account_id, user_id, address: '' }, value, { status }))
  return { state: 'done', conversation_id: value }
}
