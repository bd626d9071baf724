import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Message } from '#contract/conversations/messages.ts'
import type { Context } from '../../context.ts'
import { planReplies } from '../../features/connections/deliveries/plan-reply.ts'
import { listSentParts, sendUnsentParts } from '../../features/connections/deliveries/sent-parts.ts'
import { splitText } from '../../features/connections/deliveries/split-text.ts'
import { findLastChannelIn } from '../../features/connections/external-links/external-links.ts'
import { readMessage } from '../../features/connections/mirrors/unsent-messages.ts'
import { assertSubscribed } from '../../features/connections/opt-out/opt-out.ts'
import { getConversation } from '../../features/conversations/conversations/conversations.ts'
import { loadFiles } from '../../features/conversations/files/files.ts'
import {
  type NewDelivery,
  type OpenDelivery,
  PermanentFailure,
  type Planned,
  type Receipt,
  RetryLater,
} from '../../integration.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { callGraph, type Whatsapp } from './client.ts'
import { toWhatsapp } from './format.ts'
import { mediaKindOf, uploadMedia } from './media.ts'
import { WHATSAPP } from './opt-out.ts'
import { readSentTemplate, type SentTemplate, writeTemplate } from './send-template.ts'

/** Maximum lengths of a text and of the words below a file, in characters. */
const TEXT_LENGTH = 4096
const CAPTION_LENGTH = 1024

/** Replies in conversations over WhatsApp, unless the customer wrote to a number that another vendor carries. */
export function plan(planned: Planned): NewDelivery[] {
  if (planned.origin && planned.origin !== 'whatsapp') return []
  return planReplies(planned, 'whatsapp')
}

type OwnFile = Awaited<ReturnType<typeof loadFiles>>[number]

/** One message at WhatsApp: a template, a text, or a file. */
type Part =
  | { template: SentTemplate; heading: OwnFile | undefined }
  | { text: string }
  | { file: OwnFile; caption: string }

/** Sends the unsent parts of a message. */
export async function deliverWhatsappMessage(context: Context, delivery: OpenDelivery<Whatsapp>): Promise<Receipt> {
  const { account_id, conversation_id, message_id, authorization: whatsapp } = delivery
  const message = message_id ? await readMessage(context.db, account_id, message_id) : undefined
  if (!conversation_id || !message || message.private || message.customer_id) return { dropped: true }
  const target = await findTarget(context, whatsapp, message.conversation_id)
  await assertSubscribed(context.db, account_id, WHATSAPP, target)
  const sent = { account_id, authorization_id: whatsapp.id, message_id: message.id }
  await sendUnsentParts(context, sent, await partsOf(context, message), async (part, index) =>
    send(context, whatsapp, target, `${delivery.id}:${index}`, await writePart(context, whatsapp, part)),
  )
  return {}
}

/**
 * Whether all parts are known to have left. Each state that WhatsApp reports carries the delivery's id, so parts whose
 * answer was lost were recorded meanwhile; the others are sent.
 */
export async function findSent(context: Context, delivery: OpenDelivery<Whatsapp>): Promise<Receipt | undefined> {
  const { account_id, message_id, authorization } = delivery
  const message = message_id ? await readMessage(context.db, account_id, message_id) : undefined
  if (!message) return undefined
  const sent = await listSentParts(context.db, {
    account_id,
    authorization_id: authorization.id,
    message_id: message.id,
  })
  const parts = await partsOf(context, message)
  if (parts.every((_, index) => sent.has(index))) return {}
  if (await hasUnreadState(context, delivery)) throw new RetryLater('WhatsApp has reported what became of the message.')
  return undefined
}

/** Whether a state of this delivery was stored, but not worked on yet. */
async function hasUnreadState({ db }: Context, { account_id, id, authorization }: OpenDelivery<Whatsapp>) {
  const waiting = await ofAccount(db, account_id)
    .selectFrom('inbound_events')
    .select('id')
    .where('authorization_id', '=', authorization.id)
    .where('state', '=', 'waiting')
    .where(sql<boolean>`starts_with(payload -> 'status' ->> 'biz_opaque_callback_data', ${id})`)
    .limit(1)
    .executeTakeFirst()
  return !!waiting
}

/**
 * Where the customer wrote from, else their known number. One in national form is ambiguous.
 * @throws PermanentFailure if there is none
 */
async function findTarget({ db }: Context, whatsapp: Whatsapp, conversation_id: string): Promise<string> {
  const { account_id, id: authorization_id } = whatsapp
  const written = await findLastChannelIn(db, { account_id, authorization_id }, conversation_id)
  if (written) return written
  const { customer } = await getConversation(db, account_id, conversation_id, 'last')
  const digits = customer.phone?.trim().startsWith('+') ? customer.phone.replace(/\D/g, '') : ''
  if (digits.length < 7)
    throw new PermanentFailure(
      'The customer has no phone number. Add one with its country, such as +84…, then try again.',
    )
  return `+${digits}`
}

async function partsOf(context: Context, message: Message): Promise<Part[]> {
  const template = await readSentTemplate(context.db, message.account_id, message.id)
  const ids = message.attachments.map(({ id }) => id)
  const files = await loadFiles(context.db, message.account_id, ids)
  if (template) return [{ template, heading: files[0] }]
  const media = files.filter(mediaKindOf)
  const links = files.filter((file) => !media.includes(file)).map(({ file_url }) => file_url)
  const text = [toWhatsapp(message), ...links].filter(Boolean).join('\n')
  const [first] = media
  // Words below a recording are not shown.
  const isCaption = !!first && mediaKindOf(first) !== 'audio' && text.length <= CAPTION_LENGTH
  const texts = isCaption ? [] : splitText(text, TEXT_LENGTH).map((part) => ({ text: part }))
  return [...texts, ...media.map((file, index) => ({ file, caption: isCaption && index === 0 ? text : '' }))]
}

/** The part as Meta wants it. A file is uploaded first. */
async function writePart(context: Context, whatsapp: Whatsapp, part: Part): Promise<object> {
  if ('text' in part) return { type: 'text', text: { body: part.text, preview_url: false } }
  if ('file' in part) return writeFile(context, whatsapp, part.file, part.caption)
  const heading = part.heading && (await writeFile(context, whatsapp, part.heading))
  return { type: 'template', template: writeTemplate(part.template, heading) }
}

async function writeFile(context: Context, whatsapp: Whatsapp, file: OwnFile, caption = ''): Promise<object> {
  const kind = mediaKindOf(file)!
  const id = await uploadMedia(context, whatsapp, file)
  const name = kind === 'document' && { filename: file.filename }
  return { type: kind, [kind]: { id, ...(caption && { caption }), ...name } }
}

const Accepted = z.looseObject({ messages: z.tuple([z.looseObject({ id: z.string() })]) })

/** Sends a part to a number, or to a user's id. Returns Meta's id of the message. */
async function send(
  context: Context,
  { settings, credentials }: Whatsapp,
  target: string,
  biz_opaque_callback_data: string,
  content: object,
): Promise<string> {
  const recipient = target.startsWith('+') ? { to: target.slice(1) } : { recipient: target }
  const common = { messaging_product: 'whatsapp', recipient_type: 'individual', ...recipient }
  const json = { ...common, biz_opaque_callback_data, ...content }
  const call = { method: 'POST' as const, path: `${settings.phone_number_id}/messages`, json }
  const { messages } = await callGraph(context, credentials.access_token, call, Accepted)
  return messages[0].id
}
