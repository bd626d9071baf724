import type { Message } from '#contract/conversations/messages.ts'
import { plainText } from '#contract/text/plain.ts'
import type { Context } from '../../context.ts'
import { VendorRefused } from '../../features/connections/authorizations/vendor-call.ts'
import { planReplies } from '../../features/connections/deliveries/plan-reply.ts'
import { splitText } from '../../features/connections/deliveries/split-text.ts'
import {
  findLastPlaceIn,
  linkMessage,
  listExternalMessages,
  listThreads,
} from '../../features/connections/external-links/external-links.ts'
import { readMessage } from '../../features/connections/mirrors/unsent-messages.ts'
import { assertSubscribed } from '../../features/connections/opt-out/opt-out.ts'
import { getConversation } from '../../features/conversations/conversations/conversations.ts'
import { loadFiles } from '../../features/conversations/files/files.ts'
import { type NewDelivery, type OpenDelivery, PermanentFailure, type Planned, type Receipt } from '../../integration.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { codeOf, requestTwilio, type Twilio, TwilioMessage, webhookOf } from './client.ts'
import { toE164 } from './numbers.ts'
import { SMS } from './opt-out.ts'
import { listMessages } from './polling.ts'
import { refusalOf } from './refusals.ts'

/** Replies in conversations by text message. */
export function plan(planned: Planned): NewDelivery[] {
  return planReplies(planned, 'sms')
}

/** Maximum length of one Twilio message in characters. */
const PART_LENGTH = 1600

/** A message split into the parts that are sent. */
interface Outgoing {
  to: string
  /** The number of the messaging service that the customer knows, if there is one. */
  from: string | undefined
  parts: string[]
  /** Pictures for the first part. */
  media: string[]
}

/**
 * Sends the unsent parts of a message. Each part is recorded as soon as Twilio has accepted it, so that none is sent
 * twice.
 */
export async function deliver(context: Context, delivery: OpenDelivery<Twilio>): Promise<Receipt> {
  const { account_id, message_id } = delivery
  const twilio = delivery.authorization
  const outgoing = await prepare(context, delivery, twilio)
  if (!message_id || !outgoing) return { dropped: true }
  const sent = await listSent(context, twilio, message_id)
  const { to, from, parts, media } = outgoing
  for (const [index, body] of parts.entries()) {
    const place = String(index)
    if (sent.has(place)) continue
    const message = await send(context, twilio, { to, from, body, media: index === 0 ? media : [] })
    const link = { account_id, authorization_id: twilio.id, place, external_id: message.sid, message_id }
    await context.change((tx) => linkMessage(tx, { ...link, direction: 'out' }))
  }
  return {}
}

/** Looks among the last messages to the customer for the part that was being sent. */
export async function findSent(context: Context, delivery: OpenDelivery<Twilio>): Promise<Receipt | undefined> {
  const { account_id, message_id, created_at } = delivery
  const twilio = delivery.authorization
  const outgoing = await prepare(context, delivery, twilio)
  if (!message_id || !outgoing) return undefined
  const { to, parts } = outgoing
  const sent = await listSent(context, twilio, message_id)
  const index = parts.findIndex((_, place) => !sent.has(String(place)))
  if (index < 0) return {}
  const { phone_number, messaging_service_sid } = twilio.settings
  const there = await listMessages(context, twilio, {
    to,
    // A messaging service may have chosen any of its numbers.
    ...(!messaging_service_sid && { from: phone_number }),
    since: Date.parse(created_at) - CLOCKS_MS,
    pages: 1,
  })
  const known = await listKnown(context, twilio, there)
  const candidates = [parts[index], `${TRIAL}${parts[index]}`]
  const found = there.find(({ sid, body }) => candidates.includes(body ?? '') && !known.has(sid))
  if (!found) return undefined
  const link = { account_id, authorization_id: twilio.id, place: String(index), external_id: found.sid, message_id }
  await context.change((tx) => linkMessage(tx, { ...link, direction: 'out' }))
  // The parts after it are sent next.
  return index === parts.length - 1 ? {} : undefined
}

/** Twilio's prefix for messages of trial accounts. */
const TRIAL = 'Sent from your Twilio trial account - '

/** Nothing can have been sent before the delivery was stored; allows for clock differences. */
const CLOCKS_MS = 10 * 60_000

async function listSent({ db }: Context, { account_id, id }: Twilio, message_id: string): Promise<Set<string>> {
  const known = await listExternalMessages(db, account_id, [message_id])
  return new Set(known.filter((one) => one.authorization_id === id).map(({ place }) => place))
}

/** Ids already recorded, for this message or another one with the same text. */
async function listKnown({ db }: Context, { account_id, id }: Twilio, messages: TwilioMessage[]): Promise<Set<string>> {
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
  const to = await findNumber(context, twilio, conversation_id)
  if (!to)
    throw new PermanentFailure(
      'The customer has no phone number. Add one with its country, such as +84…, then try again.',
    )
  const media = await listMedia(context, message)
  const links = message.attachments.map(({ file_url }) => file_url).filter((address) => !media.includes(address))
  const parts = splitText([plainText(message), ...links].filter(Boolean).join('\n'), PART_LENGTH)
  const from = await findOwnNumber(context, twilio, conversation_id)
  return { to, from, parts: parts.length > 0 || media.length === 0 ? parts : [''], media }
}

/** The number the customer wrote to, while it belongs to the messaging service. */
async function findOwnNumber({ db }: Context, twilio: Twilio, conversation_id: string): Promise<string | undefined> {
  const { account_id, id: authorization_id } = twilio
  const numbers = twilio.cursor?.numbers ?? []
  const written = await findLastPlaceIn(db, { account_id, authorization_id }, conversation_id)
  return written && numbers.includes(written) ? written : undefined
}

/** The number the customer wrote from, else their known one. */
async function findNumber(context: Context, twilio: Twilio, conversation_id: string): Promise<string | undefined> {
  const { account_id, id } = twilio
  const threads = await listThreads(context.db, account_id, [conversation_id])
  const origins = threads.filter(({ role }) => role === 'origin')
  const origin = origins.findLast(({ authorization_id }) => authorization_id === id) ?? origins.at(-1)
  if (origin) return origin.place
  const { customer } = await getConversation(context.db, account_id, conversation_id, 'last')
  return customer.phone ? toE164(customer.phone, twilio.settings.phone_number) : undefined
}

/** Types that Twilio sends as pictures. */
const SHOWN = /^image\/(jpeg|png|gif)$/
const MAX_MEDIA = 10
const MEDIA_BYTES = 5_000_000

/** Addresses of pictures that Twilio can fetch from here. All other files are sent as links. */
async function listMedia(context: Context, { account_id, attachments }: Message): Promise<string[]> {
  if (!webhookOf(context)) return []
  const ids = attachments.map(({ id }) => id)
  const files = (await loadFiles(context.db, account_id, ids)).filter(({ content_type }) => SHOWN.test(content_type))
  const fitting = files.filter((_, index) => sumOf(files.slice(0, index + 1)) <= MEDIA_BYTES)
  return fitting.slice(0, MAX_MEDIA).map(({ file_url }) => file_url)
}

function sumOf(files: { size: number }[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}

/**
 * Sends a message through Twilio.
 * @throws Never with a sentence for numbers that cannot receive it, or do not want to
 */
export async function send(
  context: Context,
  twilio: Twilio,
  { to, from, body, media = [] }: { to: string; from?: string | undefined; body: string; media?: string[] },
): Promise<TwilioMessage> {
  await assertSubscribed(context.db, twilio.account_id, SMS, to)
  const { phone_number, messaging_service_sid } = twilio.settings
  const form = new URLSearchParams({ To: to, Body: body })
  if (messaging_service_sid) form.set('MessagingServiceSid', messaging_service_sid)
  // Without a number the messaging service chooses one.
  const sender = messaging_service_sid ? from : phone_number
  if (sender) form.set('From', sender)
  for (const address of media) form.append('MediaUrl', address)
  const callback = webhookOf(context)
  if (callback) form.set('StatusCallback', callback)
  try {
    return await requestTwilio(context, twilio.credentials, { path: '/Messages.json', form }, TwilioMessage)
  } catch (error) {
    const sentence = error instanceof VendorRefused ? refusalOf(codeOf(error)) : undefined
    throw sentence ? new PermanentFailure(sentence) : error
  }
}
