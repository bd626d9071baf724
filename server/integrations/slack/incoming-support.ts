import type { Context } from '../../context.ts'
import { findThread } from '../../features/connections/external-links/external-links.ts'
import { findTeamMember } from '../../features/connections/mirrors/author.ts'
import { getConversationRow } from '../../features/conversations/conversations/conversations.ts'
import { createCompany } from '../../features/customers/companies/companies.ts'
import { type InboundOutcome, ignored, type ReceivedEvent } from '../../integration.ts'
import type { Slack } from './authorization.ts'
import { isUserMessage, messageOf, type SlackEvent, type SlackMessage, threadOf } from './events.ts'
import { importThread, readThread } from './import-thread.ts'
import { postPrepared, prepareMessage, receive } from './incoming.ts'
import { receiveChange } from './incoming-changes.ts'
import { readPerson } from './people.ts'
import { findCompanyOf, isSupported } from './store-events.ts'
import { requestAs, withBotToken } from './token.ts'
import { readChannel } from './workspace.ts'

/** Handles an event in channels where customers write. */
export function receiveSupport(context: Context, event: ReceivedEvent): Promise<InboundOutcome> {
  return receive(context, event, (slack, slackEvent) => workOn(context, slack, slackEvent))
}

async function workOn(context: Context, slack: Slack, event: SlackEvent): Promise<InboundOutcome> {
  switch (event.type) {
    case 'member_joined_channel':
      return connectCompanyChannel(context, slack, event.channel)
    case 'reaction_added':
      return importTagged(context, slack, event.item)
    case 'message': {
      const message = messageOf(event)
      const isChange = event.subtype === 'message_changed' || event.subtype === 'message_deleted'
      const changed = isChange ? await receiveChange(context, slack, event) : undefined
      return changed ?? receiveMessage(context, slack, event.channel, message)
    }
    default:
      return ignored('Events of this type are ignored.')
  }
}

async function receiveMessage(
  context: Context,
  slack: Slack,
  channel: string,
  message: SlackMessage,
): Promise<InboundOutcome> {
  if (!isUserMessage(message)) return ignored('It has no content.')
  const { account_id, id: authorization_id } = slack
  const link = await findThread(context.db, { account_id, authorization_id, place: channel }, threadOf(message))
  if (link) return receiveReply(context, slack, { channel, conversation_id: link.conversation_id }, message)
  if (!(await isSupported(context.db, slack, channel))) return ignored('The channel is no longer connected.')
  const isReply = threadOf(message) !== message.ts
  return isReply
    ? importUnknownThread(context, slack, channel, message)
    : receiveFirst(context, slack, channel, message)
}

/** Team members write as themselves; all others are the customer, or write for the customer. */
async function receiveReply(
  context: Context,
  slack: Slack,
  target: { channel: string; conversation_id: string },
  message: SlackMessage,
): Promise<InboundOutcome> {
  const { account_id } = slack
  const prepared = await prepareMessage(context, slack, message)
  if (!prepared) return ignored('It has no content.')
  const person = await readPerson(context, slack, message.user!, message.user_team)
  const member = await findTeamMember(context.db, account_id, person)
  const { customer_id } = await getConversationRow(context.db, account_id, target.conversation_id)
  const body = [prepared.body, ...prepared.files.lines].filter(Boolean).join('\n')
  if (member && !prepared.body && prepared.files.file_ids.length === 0) return ignored('Its file could not be stored.')
  return context.change((tx) =>
    member
      ? postPrepared(
          context,
          tx,
          slack,
          target,
          prepared,
          { kind: 'user', user_id: member.id },
          { body: prepared.body },
        )
      : postPrepared(
          context,
          tx,
          slack,
          target,
          prepared,
          { kind: 'customer', customer_id },
          {
            body,
            // Shown above the message.
            ...(person.customer_id !== customer_id && {
              metadata: { mail_sender: { name: person.name, address: person.email ?? person.name ?? 'Slack' } },
            }),
          },
        ),
  )
}

/** A new message of somebody outside of the team. */
async function receiveFirst(
  context: Context,
  slack: Slack,
  channel: string,
  message: SlackMessage,
): Promise<InboundOutcome> {
  if (!slack.settings.sync_all_incoming_threads)
    return ignored('Messages of this channel are not imported automatically.')
  const person = await readPerson(context, slack, message.user!, message.user_team)
  if (person.is_bot) return ignored('It was written by a bot.')
  if (await findTeamMember(context.db, slack.account_id, person)) return ignored('It was written by a team member.')
  return importThread(context, slack, channel, [message], message.user!)
}

/**
 * An unknown thread becomes a conversation once a customer writes in it: if a program or a team member started it, or a
 * customer did so before the channel was connected.
 */
async function importUnknownThread(
  context: Context,
  slack: Slack,
  channel: string,
  message: SlackMessage,
): Promise<InboundOutcome> {
  const thread = await readThread(context, slack, channel, threadOf(message))
  const [root] = thread
  if (!root) return ignored('Its thread no longer exists.')
  const strangers = await listCustomerMessages(context, slack, thread)
  const [first] = strangers
  if (!first) return ignored('No customer has written in the thread.')
  if (first === root && !slack.settings.sync_all_incoming_threads) {
    return ignored('Messages of this channel are not imported automatically.')
  }
  return importThread(context, slack, channel, thread, first.user!)
}

/** Messages of people outside of the team. */
async function listCustomerMessages(context: Context, slack: Slack, thread: SlackMessage[]): Promise<SlackMessage[]> {
  const messages: SlackMessage[] = []
  for (const message of thread.filter(isUserMessage)) {
    const person = await readPerson(context, slack, message.user!, message.user_team)
    if (!person.is_bot && !(await findTeamMember(context.db, slack.account_id, person))) messages.push(message)
  }
  return messages
}

/** Somebody reacted to a message with eyes: it becomes a conversation, whoever wrote it. */
async function importTagged(
  context: Context,
  slack: Slack,
  { channel, ts }: { channel: string; ts: string },
): Promise<InboundOutcome> {
  const { account_id, id: authorization_id } = slack
  const root = await findRoot(context, slack, channel, ts)
  if (!root) return ignored('The message no longer exists.')
  const link = await findThread(context.db, { account_id, authorization_id, place: channel }, root)
  if (link) return ignored('It is already a conversation.')
  const thread = await readThread(context, slack, channel, root)
  const [stranger] = await listCustomerMessages(context, slack, thread)
  const first = stranger ?? thread.find(isUserMessage)
  if (!first) return ignored('It was written by a bot.')
  return importThread(context, slack, channel, thread, first.user!)
}

/** The first message of a message's thread. */
async function findRoot(context: Context, slack: Slack, channel: string, ts: string): Promise<string | undefined> {
  const response = await requestAs(context, slack, (client) =>
    client.conversations.history({ channel, latest: ts, inclusive: true, limit: 1 }),
  )
  if (response.messages?.[0]?.ts === ts) return ts
  const thread = await requestAs(context, slack, (client) => client.conversations.replies({ channel, ts, limit: 1 }))
  return thread.messages?.[0]?.thread_ts
}

/** The app was added to a channel, which becomes that of a company. */
async function connectCompanyChannel(context: Context, slack: Slack, channel: string): Promise<InboundOutcome> {
  const { account_id, settings } = slack
  if (channel === settings.channel_id) return ignored('It is the connected channel.')
  if (await findCompanyOf(context.db, slack, channel)) return ignored('Its company is known.')
  const { name, topic } = await withBotToken(context, slack, (token) => readChannel(context, token, channel))
  await context.change(async (tx) => {
    if (await findCompanyOf(tx.db, slack, channel)) return
    await createCompany(tx, account_id, {
      name: name.slice(0, 200),
      description: topic.value.slice(0, 5000) || null,
      slack_channel_id: channel,
      slack_channel_name: `#${name}`,
      slack_team_id: settings.team_id,
      slack_team_name: settings.team_name,
    })
  })
  return { state: 'done' }
}
