import type { Context } from '../../context.ts'
import { VendorRefused } from '../../features/connections/authorizations/vendor-call.ts'
import { planReplies } from '../../features/connections/deliveries/plan-reply.ts'
import { listSentParts, recordSentPart, sendUnsentParts } from '../../features/connections/deliveries/sent-parts.ts'
import { findLastChannelIn, listThreads } from '../../features/connections/external-links/external-links.ts'
import { readMessage } from '../../features/connections/mirrors/unsent-messages.ts'
import { assertSubscribed } from '../../features/connections/opt-out/opt-out.ts'
import { getConversation } from '../../features/conversations/conversations/conversations.ts'
import {
  type NewDelivery,
  type OpenDelivery,
  PermanentFailure,
  type Planned,
  type Receipt,
  RetryLater,
} from '../../integration.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { codeOf, requestTwilio, type Twilio, TwilioMessage, webhookOf } from './client.ts'
import { toE164 } from './numbers.ts'
import { channelOf } from './opt-out.ts'
import { type Part, partsOf } from './parts.ts'
import { listMessages } from './polling.ts'
import { isRateLimit, RATE_LIMITED, refusalOf } from './refusals.ts'
import { isWhatsapp, toWhatsappAddress } from './whatsapp.ts'

/** Replies by text message, and over WhatsApp where the customer wrote to a sender of Twilio. */
export function plan(planned: Planned): NewDelivery[] {
  if (planned.conversation?.source !== 'whatsapp') return planReplies(planned, 'sms')
  if (planned.origin !== 'twilio') return []
  const authorizations = planned.authorizations.filter(({ settings }) => settings.whatsapp_number)
  return planReplies({ ...planned, authorizations }, 'whatsapp')
}

/** A message split into the parts that are sent. */
interface Outgoing {
  to: string
  /** The address to send from. Undefined if the messaging service chooses one. */
  from: string | undefined
  parts: Part[]
}

/** Sends the unsent parts of a message. */
export async function deliverTwilioMessage(context: Context, delivery: OpenDelivery<Twilio>): Promise<Receipt> {
  const { account_id, message_id } = delivery
  const twilio = delivery.authorization
  const outgoing = await prepare(context, delivery, twilio)
  if (!message_id || !outgoing) return { dropped: true }
  const { to, from, parts } = outgoing
  const message = { account_id, authorization_id: twilio.id, message_id }
  await sendUnsentParts(context, message, parts, async (part) => {
    const { sid } = await send(context, twilio, { to, from, ...part })
    return sid
  })
  return {}
}

/** Looks among the last messages to the customer for the part that was being sent. */
export async function findSent(context: Context, delivery: OpenDelivery<Twilio>): Promise<Receipt | undefined> {
  const { account_id, message_id, created_at } = delivery
  const twilio = delivery.authorization
  const outgoing = await prepare(context, delivery, twilio)
  if (!message_id || !outgoing) return undefined
  const { to, from, parts } = outgoing
  const message = { account_id, authorization_id: twilio.id, message_id }
  const sent = await listSentParts(context.db, message)
  const index = parts.findIndex((_, at) => !sent.has(at))
  if (index < 0) return {}
  const isChosenThere = !isWhatsapp(to) && !!twilio.settings.messaging_service_sid
  const recent = await listMessages(context, twilio, {
    to,
    // A messaging service may have chosen any of its numbers.
    ...(!isChosenThere && from && { from }),
    since: Date.parse(created_at) - CLOCKS_MS,
    pages: 1,
  })
  const recordedIds = await listStoredIds(context, twilio, recent)
  const match = recent.find((other) => isSame(other, parts[index]!) && !recordedIds.has(other.sid))
  if (!match) return undefined
  await recordSentPart(context, message, index, match.sid)
  // The parts after it are sent next.
  return index === parts.length - 1 ? {} : undefined
}

/** Twilio's prefix for messages of trial accounts. */
const TRIAL = 'Sent from your Twilio trial account - '

function isSame({ body, num_media }: TwilioMessage, part: Part): boolean {
  const hasFiles = Number(num_media ?? 0) > 0
  return [part.body, TRIAL + part.body].includes(body ?? '') && hasFiles === part.media.length > 0
}

/** Nothing can have been sent before the delivery was stored; allows for clock differences. */
const CLOCKS_MS = 10 * 60_000

/** Ids already recorded, for this message or another one with the same text. */
async function listStoredIds(
  { db }: Context,
  { account_id, id }: Twilio,
  messages: TwilioMessage[],
): Promise<Set<string>> {
  if (messages.length === 0) return new Set()
  const rows = await ofAccount(db, account_id)
    .selectFrom('external_messages')
    .select('external_id')
    .where('authorization_id', '=', id)
    .where(
      'external_id',
      'in',
      messages.map(({ sid }) => sid),
    )
    .execute()
  return new Set(rows.map(({ external_id }) => external_id))
}

/** Undefined if there is nothing left to send. @throws Never if the customer has no number */
async function prepare(context: Context, delivery: OpenDelivery, twilio: Twilio): Promise<Outgoing | undefined> {
  const { account_id, conversation_id, message_id } = delivery
  const message = message_id ? await readMessage(context.db, account_id, message_id) : undefined
  if (!conversation_id || !message || message.private || message.customer_id) return undefined
  const to = await findAddress(context, twilio, conversation_id)
  if (!to)
    throw new PermanentFailure(
      'The customer has no phone number. Add one with its country, such as +84…, then try again.',
    )
  const from = isWhatsapp(to) ? ownWhatsapp(twilio) : await findOwnNumber(context, twilio, conversation_id)
  return { to, from, parts: await partsOf(context, message, to) }
}

/** @throws PermanentFailure if the sender was removed from the connection */
function ownWhatsapp({ settings }: Twilio): string {
  if (settings.whatsapp_number) return toWhatsappAddress(settings.whatsapp_number)
  throw new PermanentFailure('No WhatsApp sender is connected. Enter it under Integrations → Twilio, then try again.')
}

/**
 * The number to send text messages from: the one the customer wrote to, while it belongs to the messaging service. Without
 * a messaging service there is only one.
 */
async function findOwnNumber({ db }: Context, twilio: Twilio, conversation_id: string): Promise<string | undefined> {
  const { account_id, id: authorization_id } = twilio
  const { phone_number, messaging_service_sid } = twilio.settings
  if (!messaging_service_sid) return phone_number
  const numbers = twilio.cursor?.numbers ?? []
  const written = await findLastChannelIn(db, { account_id, authorization_id }, conversation_id)
  return written && numbers.includes(written) ? written : undefined
}

/** The address the customer wrote from, else that of their known number. */
async function findAddress(context: Context, twilio: Twilio, conversation_id: string): Promise<string | undefined> {
  const { account_id, id } = twilio
  const { source, customer } = await getConversation(context.db, account_id, conversation_id, 'last')
  const isOverWhatsapp = source === 'whatsapp'
  const threads = await listThreads(context.db, account_id, [conversation_id])
  const origins = threads.filter(
    ({ role, place: address }) => role === 'origin' && isWhatsapp(address) === isOverWhatsapp,
  )
  const origin = origins.findLast(({ authorization_id }) => authorization_id === id) ?? origins.at(-1)
  if (origin) return origin.place
  const number = customer.phone ? await toE164(customer.phone, twilio.settings.phone_number) : undefined
  return number && isOverWhatsapp ? toWhatsappAddress(number) : number
}

/**
 * Sends a message through Twilio.
 * @throws RetryLater if the sender is too fast; PermanentFailure with a sentence for numbers that cannot receive it, or
 *   do not want to
 */
export async function send(
  context: Context,
  twilio: Twilio,
  { to, from, body, media }: Part & { to: string; from: string | undefined },
): Promise<TwilioMessage> {
  await assertSubscribed(context.db, twilio.account_id, channelOf(to), to)
  const { messaging_service_sid } = twilio.settings
  const form = new URLSearchParams({ To: to, Body: body })
  if (messaging_service_sid && !isWhatsapp(to)) form.set('MessagingServiceSid', messaging_service_sid)
  if (from) form.set('From', from)
  for (const address of media) form.append('MediaUrl', address)
  const callback = webhookOf(context)
  if (callback) form.set('StatusCallback', callback)
  try {
    return await requestTwilio(context, twilio.credentials, { path: '/Messages.json', form }, TwilioMessage)
  } catch (error) {
    const code = error instanceof VendorRefused ? codeOf(error) : undefined
    if (isRateLimit(code)) throw new RetryLater(RATE_LIMITED)
    const sentence = refusalOf(code)
    throw sentence ? new PermanentFailure(sentence) : error
  }
}
