import type { Context } from '../../context.ts'
import { recordBroken } from '../../features/connections/authorizations/health.ts'
import { recordDelivered, recordUndelivered } from '../../features/connections/deliveries/deliveries.ts'
import {
  findSentMessage,
  linkMessage,
  listExternalMessages,
  unlinkMessage,
} from '../../features/connections/external-links/external-links.ts'
import { seeMessages } from '../../features/conversations/conversations/read-receipts.ts'
import { type InboundOutcome, ignored, ignoredUnlessNew } from '../../integration.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import type { Whatsapp } from './client.ts'
import type { RawStatus } from './receive-call.ts'
import { failureOf, isRevoking } from './refusals.ts'

/** A sent part of a message. */
interface SentPart {
  message_id: string
  index: string
}

/**
 * A message that was sent has a new state. States arrive in any order and never go back: a failed part stays failed, and
 * what was read was delivered.
 */
export async function receiveStatus(
  context: Context,
  whatsapp: Whatsapp,
  status: RawStatus,
  came_at: string,
): Promise<InboundOutcome> {
  const channel = { account_id: whatsapp.account_id, authorization_id: whatsapp.id }
  const isFailure = status.status === 'failed'
  const sent = await findPart(context.db, channel, status)
  // A failure is recorded once the delivery is, whose state it changes.
  const isLinked = isFailure ? await findSentMessage(context.db, channel, status.id) : sent
  if (!sent || !isLinked) return ignoredUnlessNew(came_at)
  const { message_id } = sent
  if (isFailure) await recordFailure(context, whatsapp, sent, status)
  else if (await hasFailed(context.db, channel, status.id)) return ignored('The message has failed since.')
  else await context.change((tx) => recordProgress(tx, channel, sent, status))
  return { state: 'done', message_id }
}

/** By Meta's id of the message, else by the delivery's id that we sent along: its answer may have been lost. */
async function findPart(db: Db, channel: Channel, status: RawStatus): Promise<SentPart | undefined> {
  const { account_id, authorization_id } = channel
  const sent = await findSentMessage(db, channel, status.id)
  if (sent?.message_id) return { message_id: sent.message_id, index: sent.place }
  const [, delivery_id, index] = /^([0-9a-f-]{36}):(\d{1,4})$/.exec(status.biz_opaque_callback_data ?? '') ?? []
  if (!delivery_id || !index) return undefined
  const delivery = await ofAccount(db, account_id)
    .selectFrom('deliveries')
    .select('message_id')
    .where('id', '=', delivery_id)
    .where('authorization_id', '=', authorization_id)
    .executeTakeFirst()
  return delivery?.message_id ? { message_id: delivery.message_id, index } : undefined
}

interface Channel {
  account_id: string
  authorization_id: string
}

/** Whether this message was reported as failed before. */
async function hasFailed(db: Db, { account_id, authorization_id }: Channel, external_id: string): Promise<boolean> {
  const failed = await ofAccount(db, account_id)
    .selectFrom('inbound_events')
    .select('id')
    .where('integration', '=', 'whatsapp')
    .where('key', '=', `${authorization_id} status ${external_id} failed`)
    .where('state', '=', 'done')
    .executeTakeFirst()
  return !!failed
}

/** The team sees the reason below the message, and can send that part again. */
async function recordFailure(context: Context, whatsapp: Whatsapp, { message_id }: SentPart, status: RawStatus) {
  const { account_id, id: authorization_id } = whatsapp
  const code = status.errors?.[0]?.code
  await context.change(async (tx) => {
    await unlinkMessage(tx, { account_id, authorization_id }, status.id)
    await recordUndelivered(tx, { account_id, authorization_id, message_id }, failureOf(code))
    if (isRevoking(code)) await recordBroken(context, tx, { account_id, id: authorization_id }, failureOf(code))
  })
}

async function recordProgress(tx: Change, channel: Channel, { message_id, index }: SentPart, status: RawStatus) {
  const { account_id, authorization_id } = channel
  await linkMessage(tx, { ...channel, place: index, external_id: status.id, message_id, direction: 'out' })
  const parts = (await listExternalMessages(tx.db, account_id, [message_id])).filter(
    (part) => part.authorization_id === authorization_id && part.direction === 'out',
  )
  const isLast = parts.every((part) => Number(part.place) <= Number(index))
  // A message counts as delivered with its last part.
  if (!isLast || !/^(delivered|read)$/.test(status.status)) return
  await recordDelivered(tx, { ...channel, message_id }, timeOf(status.timestamp))
  if (status.status === 'read') await recordRead(tx, account_id, message_id)
}

/** Everything above a read message was read, too. */
async function recordRead(tx: Change, account_id: string, message_id: string): Promise<void> {
  const row = await ofAccount(tx.db, account_id)
    .selectFrom('messages')
    .innerJoin('conversations', (join) =>
      join
        .onRef('conversations.account_id', '=', 'messages.account_id')
        .onRef('conversations.id', '=', 'messages.conversation_id'),
    )
    .select(['conversations.id', 'conversations.customer_id', 'messages.number'])
    .where('messages.id', '=', message_id)
    .executeTakeFirst()
  if (row) await seeMessages(tx, { account_id, id: row.id, customer_id: row.customer_id }, row.number)
}

function timeOf(timestamp: string | undefined): string {
  const milliseconds = Number(timestamp) * 1000
  return new Date(milliseconds > 1e12 && milliseconds <= Date.now() ? milliseconds : Date.now()).toISOString()
}
