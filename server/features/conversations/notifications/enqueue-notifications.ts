import { sql } from 'kysely'
import type { Message } from '#contract/conversations/messages.ts'
import type { Context } from '../../../context.ts'
import { defineConsumer, type LoggedEvent } from '../../../feature.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts } from '../../../platform/db/of-account.ts'
import { listReplyAddresses } from '../conversations/reply-address.ts'
import { readLatest } from '../messages/latest-messages.ts'
import type { MessageRow } from '../messages/messages.ts'
import { alertTeam } from './alert-team.ts'
import { mailMention } from './mention-mail.ts'
import { mailReply } from './reply-mail.ts'

type MessageEvent = 'message:created' | 'message:deleted'

/** Mails need not be decided upon to the second. */
const REST_MS = 1_000

export const followMessages = defineConsumer('notifications.followMessages', {
  of: ['message:created', 'message:deleted'],
  restMs: REST_MS,
  jobs: [alertTeam, mailMention, mailReply],
  consume: enqueueNotifications,
})

/** A mention that was seen on screen within this time needs no mail. */
const MENTION_MINUTES = 2
/** A customer who is still on the page reads the reply there; one who has left gets a mail. */
const REPLY_MINUTES = 20

/**
 * Decides for a batch of created or deleted messages whom to notify by mail: mostly nobody, which costs next to
 * nothing.
 */
async function enqueueNotifications({ jobs }: Context, { db }: Change, events: LoggedEvent<MessageEvent>[]) {
  const created = events.flatMap(({ event }) => (event.type === 'message:created' ? [event] : []))
  const ofTeam = created.filter(({ message: { type, user_id } }) => type !== 'bot' && user_id !== null)
  // Rules mention people, too.
  const ofNoCustomer = created.filter(({ message: { customer_id } }) => customer_id === null)
  // A customer whom the team wrote to first is not waiting for a reply.
  const answers = ofTeam.filter(({ is_opening }) => !is_opening)
  const latest = await latestReplies(db, events)
  const ofRequests = requestsOf(events)
  await jobs.enqueueAll(db, alertTeam, ofRequests(await alertsFor(db, created.map(messageOf))))
  await jobs.enqueueAll(db, mailMention, ofRequests(await mentionsIn(db, ofNoCustomer.map(messageOf))))
  await jobs.enqueueAll(db, mailReply, ofRequests(await repliesAmong(db, [...latest, ...answers.map(messageOf)])))
}

/** The request id of each message, for the jobs about it. */
function requestsOf(events: LoggedEvent<MessageEvent>[]) {
  const requests = new Map(
    events.map(({ event, request_id }) => [event.type === 'message:created' ? event.message.id : '', request_id]),
  )
  return <Job extends { payload: { message_id: string } }>(jobs: Job[]) =>
    jobs.map((job) => ({ ...job, request_id: requests.get(job.payload.message_id) }))
}

function messageOf({ message }: { message: Message }): Message {
  return message
}

/**
 * The latest reply of a conversation changes when a later message is deleted, whose own mail would have quoted it.
 * An opening message is no reply.
 */
async function latestReplies(db: Db, events: LoggedEvent<MessageEvent>[]): Promise<MessageRow[]> {
  const replies: MessageRow[] = []
  for (const { account_id, event } of events) {
    if (event.type !== 'message:deleted' || event.private) continue
    const newest = await readLatest(db, account_id, [event.conversation_id], 'last public')
    replies.push(...newest.filter(({ user_id, type, number }) => user_id !== null && type === 'reply' && number > 1))
  }
  return replies
}

/** Messages of customers in accounts where a user wants mails about them. */
async function alertsFor(db: Db, messages: Message[]) {
  const received = messages.filter((message) => message.customer_id && !message.private)
  if (received.length === 0) return []
  const rows = await db
    .selectFrom('user_settings')
    .select('account_id')
    .select(sql<boolean>`bool_or(email_alert_on_new_message)`.as('of_each'))
    .where('account_id', 'in', [...new Set(received.map(({ account_id }) => account_id))])
    .where((eb) =>
      eb.or([eb('email_alert_on_new_message', '=', true), eb('email_alert_on_new_conversation', '=', true)]),
    )
    .groupBy('account_id')
    .execute()
  const settings = new Map(rows.map(({ account_id, of_each }) => [account_id, of_each]))
  return received
    .filter(({ account_id, number }) => settings.get(account_id) || (number === 1 && settings.has(account_id)))
    .map(({ account_id, id }) => ({ payload: { account_id, message_id: id } }))
}

async function mentionsIn(db: Db, messages: Message[]) {
  if (messages.length === 0) return []
  const rows = await acrossAccounts(db, 'messages of a batch of events, each with its account')
    .selectFrom('mentions')
    .select(['account_id', 'message_id', 'user_id'])
    .where(areIn(messages))
    .orderBy('account_id')
    .orderBy('message_id')
    .orderBy('user_id')
    .execute()
  return rows.map((payload) => ({ payload, not_before: inMinutes(MENTION_MINUTES) }))
}

/** Replies to customers with an address. Of several in one batch only the newest counts. */
async function repliesAmong(db: Db, messages: MessageRow[]) {
  const newest = new Map(
    messages
      .filter((message) => !message.private)
      .map((message) => [`${message.account_id} ${message.conversation_id}`, message]),
  )
  const replies = [...newest.values()]
  if (replies.length === 0) return []
  const addresses = await listReplyAddresses(db, replies)
  return replies
    .filter(({ account_id, conversation_id }) => addresses.has(`${account_id} ${conversation_id}`))
    .map(({ account_id, id }) => ({ payload: { account_id, message_id: id }, not_before: inMinutes(REPLY_MINUTES) }))
}

/** Ids are only unique within their account. */
function areIn(messages: Pick<Message, 'account_id' | 'id'>[]) {
  return sql<boolean>`(mentions.account_id, mentions.message_id) in (
    select * from unnest(${messages.map(({ account_id }) => account_id)}::uuid[], ${messages.map(({ id }) => id)}::uuid[]))`
}

function inMinutes(minutes: number): Date {
  return new Date(Date.now() + minutes * 60_000)
}
