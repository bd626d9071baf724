import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { Forbidden } from '../../errors.ts'
import { loadConnected } from '../../features/connections/authorizations/authorizations.ts'
import { findMessage, linkMessage, linkThread } from '../../features/connections/external-links/external-links.ts'
import { continueConversation } from '../../features/conversations/conversations/continuing.ts'
import { postMessage } from '../../features/conversations/conversations/posting.ts'
import { type InboundOutcome, ignored, type ReceivedEvent } from '../../integration.ts'
import type { Change } from '../../platform/db/change.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { deriveId } from '../../platform/secrets.ts'
import type { Whatsapp } from './client.ts'
import { readContent, readReferral } from './content.ts'
import { storeMedia } from './media.ts'
import { type MessageEvent, postNote, receivePreference, receiveReaction, receiveSystem } from './notices.ts'
import { applyOptOut } from './opt-out.ts'
import { findOrCreatePerson, targetOf } from './person.ts'
import { quoteOf } from './quote.ts'
import { FromWhatsapp } from './receive-call.ts'
import { receiveStatus } from './statuses.ts'

/** Handles a received event. */
export async function receiveFromWhatsapp(context: Context, event: ReceivedEvent): Promise<InboundOutcome> {
  const { account_id, authorization_id, payload } = event
  const whatsapp = authorization_id ? await loadConnected<Whatsapp>(context, account_id, authorization_id) : undefined
  if (!whatsapp) return ignored('Its number has been disconnected.')
  const { success, data } = z.safeParse(FromWhatsapp, payload)
  if (!success) return ignored('Its type is unknown.')
  if (data.kind === 'status') return receiveStatus(context, whatsapp, data.status, event.created_at)
  try {
    if (data.kind === 'preference') return await receivePreference(context, whatsapp, data)
    if (data.message.type === 'reaction') return await receiveReaction(context, whatsapp, data)
    if (data.message.type === 'system') return await receiveSystem(context, whatsapp, data)
    return await receiveMessage(context, whatsapp, data)
  } catch (error) {
    if (error instanceof Forbidden) return ignored('The customer is blocked.')
    throw error
  }
}

async function receiveMessage(context: Context, whatsapp: Whatsapp, event: MessageEvent): Promise<InboundOutcome> {
  const { number } = event.person
  if (number && (await isOwnNumber(context, whatsapp.account_id, number)))
    return ignored('It came from a connected number.')
  const content = readContent(event.message)
  const media = content.media && (await storeMedia(context, whatsapp, content.media))
  return context.change((tx) => post(context, tx, whatsapp, event, { body: content.body, ...media }))
}

async function post(
  context: Context,
  tx: Change,
  whatsapp: Whatsapp,
  { person, message }: MessageEvent,
  { body, file_id, missing }: { body: string; file_id?: string; missing?: string },
): Promise<InboundOutcome> {
  const { account_id, id: authorization_id, inbox_id } = whatsapp
  // Answers go where the newest message came from.
  const channel = { account_id, authorization_id, place: targetOf(person) }
  const message_id = deriveId(`whatsapp ${authorization_id} ${message.id}`)
  const isNew = await linkMessage(tx, { ...channel, external_id: message.id, message_id, direction: 'in' })
  if (!isNew) {
    const existing = await findMessage(tx.db, channel, message.id)
    return existing?.message_id === message_id ? { state: 'done', message_id } : ignored('It was already received.')
  }
  const customer_id = await findOrCreatePerson(tx, account_id, person)
  const id = deriveId(`whatsapp conversation ${authorization_id} ${message.id}`)
  const conversation_id = await continueConversation(tx, account_id, { id, customer_id, inbox_id, source: 'whatsapp' })
  await linkThread(tx, { ...channel, thread: conversation_id, conversation_id, role: 'origin' })
  const written = { customer_id, conversation_id, message_id }
  const lines = [await quoteOf(tx.db, channel, message), body, missing]
  await postMessage(
    context,
    tx,
    account_id,
    { kind: 'customer', customer_id },
    {
      id: message_id,
      conversation_id,
      body: lines.filter(Boolean).join('\n'),
      source: 'whatsapp',
      type: 'reply',
      sent_at: timeOf(message.timestamp),
      file_ids: file_id ? [file_id] : [],
    },
  )
  const referral = readReferral(message)
  if (referral) await postNote(context, tx, whatsapp, { conversation_id, external_id: message.id, body: referral })
  await applyOptOut(context, tx, account_id, person, body, written)
  return { state: 'done', ...written }
}

/** From seconds, as Meta writes times. */
function timeOf(timestamp: string | undefined): string | undefined {
  const seconds = Number(timestamp)
  const isPast = seconds > 1_000_000_000 && seconds * 1000 <= Date.now() + 60_000
  return isPast ? new Date(seconds * 1000).toISOString() : undefined
}

/** Two of an account's numbers replying to each other would never stop. */
async function isOwnNumber({ db }: Context, account_id: string, digits: string): Promise<boolean> {
  const own = await ofAccount(db, account_id)
    .selectFrom('authorizations')
    .select('id')
    .where('integration', '=', 'whatsapp')
    .where(sql<boolean>`settings ->> 'digits' = ${digits}`)
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return !!own
}
