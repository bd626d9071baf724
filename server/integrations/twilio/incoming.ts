import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { Forbidden } from '../../errors.ts'
import { recordUndelivered } from '../../features/connections/deliveries/deliveries.ts'
import {
  findMessage,
  findSentMessage,
  linkMessage,
  linkThread,
  unlinkMessage,
} from '../../features/connections/external-links/external-links.ts'
import { recordOptOut } from '../../features/connections/opt-out/opt-out.ts'
import { continueConversation } from '../../features/conversations/conversations/continuing.ts'
import { postMessage } from '../../features/conversations/conversations/posting.ts'
import { type InboundOutcome, ignored, ignoredUnlessNew, type ReceivedEvent } from '../../integration.ts'
import type { Change } from '../../platform/db/change.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { deriveId } from '../../platform/secrets.ts'
import { loadTwilio, type Twilio } from './client.ts'
import { type StoredMedia, storeMedia } from './media.ts'
import { digitsOf } from './numbers.ts'
import { channelOf, optOutOf } from './opt-out.ts'
import { FromTwilio } from './receive-call.ts'
import { failureOf } from './refusals.ts'
import { findOrCreateSender, type Sender } from './sender.ts'
import { isWhatsapp, numberOf } from './whatsapp.ts'

type IncomingMessage = Extract<FromTwilio, { kind: 'message' }>
type Failed = Extract<FromTwilio, { kind: 'failure' }>

/** Handles a received event. */
export async function receiveFromTwilio(context: Context, event: ReceivedEvent): Promise<InboundOutcome> {
  const { account_id, authorization_id, payload } = event
  const twilio = authorization_id ? await loadTwilio(context, account_id, authorization_id) : undefined
  if (!twilio) return ignored('Its number has been disconnected.')
  const parsed = z.safeParse(FromTwilio, payload)
  if (!parsed.success) return ignored('Its type is unknown.')
  return parsed.data.kind === 'failure'
    ? receiveFailure(context, twilio, parsed.data, event.created_at)
    : receiveMessage(context, twilio, parsed.data)
}

async function receiveMessage(context: Context, twilio: Twilio, came: IncomingMessage): Promise<InboundOutcome> {
  if (await isOwnNumber(context, twilio.account_id, came.from)) return ignored('It came from a connected number.')
  const nothing: StoredMedia = { file_ids: [], missing: 0 }
  const name = isWhatsapp(came.from) ? 'whatsapp' : 'mms'
  const media = came.media_count > 0 ? await storeMedia(context, twilio, came.sid, name) : nothing
  const lost = media.missing > 0 ? `(${media.missing} of its files could not be stored.)` : ''
  const body = [came.body, lost].filter((line) => line.trim()).join('\n')
  if (!body && media.file_ids.length === 0) return ignored('It has no content.')
  const digits = await digitsOf(numberOf(came.from), twilio.settings.phone_number)
  try {
    return await context.change((tx) =>
      post(context, tx, twilio, came, { body, file_ids: media.file_ids, sender: { address: came.from, digits } }),
    )
  } catch (error) {
    if (error instanceof Forbidden) return ignored('The customer is blocked.')
    throw error
  }
}

interface MessageContent {
  body: string
  file_ids: string[]
  sender: Sender
}

async function post(
  context: Context,
  tx: Change,
  twilio: Twilio,
  came: IncomingMessage,
  { body, file_ids, sender }: MessageContent,
): Promise<InboundOutcome> {
  const { account_id, id: authorization_id } = twilio
  // Replies are sent from the number it came to.
  const numberKey = { account_id, authorization_id, place: came.to ?? '' }
  const message_id = deriveId(`twilio ${authorization_id} ${came.sid}`)
  const isNew = await linkMessage(tx, { ...numberKey, external_id: came.sid, message_id, direction: 'in' })
  if (!isNew) {
    const link = await findMessage(tx.db, numberKey, came.sid)
    return link?.message_id === message_id ? { state: 'done', message_id } : ignored('It was already received.')
  }
  const source = isWhatsapp(sender.address) ? 'whatsapp' : 'sms'
  // Over WhatsApp free text is taken for a time that begins when the customer wrote.
  const when = source === 'whatsapp' && { sent_at: came.sent_at }
  const customer_id = await findOrCreateSender(tx, account_id, sender)
  const conversation_id = await continueConversation(tx, account_id, {
    id: deriveId(`twilio conversation ${authorization_id} ${came.sid}`),
    customer_id,
    inbox_id: twilio.inbox_id,
    source,
  })
  await linkThread(tx, {
    ...numberKey,
    place: sender.address,
    thread: conversation_id,
    conversation_id,
    role: 'origin',
  })
  await postMessage(
    context,
    tx,
    account_id,
    { kind: 'customer', customer_id },
    { id: message_id, conversation_id, body, source, type: 'reply', file_ids, ...when },
  )
  const optOut = optOutOf(came, twilio.settings.stop_words)
  if (optOut) {
    const written = { external_id: sender.address, customer_id, conversation_id, message_id }
    await recordOptOut(context, tx, account_id, channelOf(sender.address), written, optOut)
  }
  return { state: 'done', conversation_id, customer_id, message_id }
}

/** Two of an account's numbers replying to each other would never stop. */
async function isOwnNumber({ db }: Context, account_id: string, number: string): Promise<boolean> {
  const own = await ofAccount(db, account_id)
    .selectFrom('authorizations')
    .select('id')
    .where('integration', '=', 'twilio')
    .where(
      sql<boolean>`(address like ${`%/${number.replaceAll(/[%_\\]/g, '')}`} or cursor -> 'numbers' @> to_jsonb(${number}::text))`,
    )
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return !!own
}

/** A sent message did not arrive: the team sees that below the message, and can send that part again. */
async function receiveFailure(
  context: Context,
  { account_id, id }: Twilio,
  { sid, code }: Failed,
  came_at: string,
): Promise<InboundOutcome> {
  const connectionKey = { account_id, authorization_id: id }
  const sent = await findSentMessage(context.db, connectionKey, sid)
  if (!sent?.message_id) return ignoredUnlessNew(came_at)
  const { message_id } = sent
  await context.change(async (tx) => {
    await unlinkMessage(tx, connectionKey, sid)
    await recordUndelivered(tx, { ...connectionKey, message_id }, failureOf(code ?? undefined))
  })
  return { state: 'done', message_id }
}
