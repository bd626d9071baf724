import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { linkMessage, linkThread } from '../../features/connections/external-links/external-links.ts'
import { continueConversation } from '../../features/conversations/conversations/continuing.ts'
import { postMessage } from '../../features/conversations/conversations/posting.ts'
import { type InboundOutcome, ignored } from '../../integration.ts'
import type { Change } from '../../platform/db/change.ts'
import { deriveId } from '../../platform/secrets.ts'
import type { Whatsapp } from './client.ts'
import { Reaction, SystemNotice } from './content.ts'
import { findOrCreatePerson, moveIdentity, targetOf } from './person.ts'
import { findQuoted } from './quote.ts'
import type { FromWhatsapp, Person } from './receive-call.ts'

export type MessageEvent = Extract<FromWhatsapp, { kind: 'message' }>

interface Note {
  conversation_id: string
  /** What it is about, at Meta: a repeat is stored once. */
  external_id: string
  body: string
}

/** Tells the team about something that is no message. Returns the note's id. */
export async function postNote(
  context: Context,
  tx: Change,
  { account_id, id: authorization_id }: Whatsapp,
  { conversation_id, external_id, body }: Note,
): Promise<string> {
  const id = deriveId(`whatsapp note ${authorization_id} ${external_id}`)
  const draft = { id, conversation_id, body, private: true, source: 'whatsapp' as const, isQuiet: true }
  await postMessage(context, tx, account_id, { kind: 'bot', user_id: null }, draft)
  return id
}

/** A reaction to a message becomes a note; the customer's words never change. */
export async function receiveReaction(
  context: Context,
  whatsapp: Whatsapp,
  { person, message }: MessageEvent,
): Promise<InboundOutcome> {
  const { success, data: reaction } = z.safeParse(Reaction, message.reaction)
  if (!success) return ignored('It has no content.')
  const channel = { account_id: whatsapp.account_id, authorization_id: whatsapp.id, place: targetOf(person) }
  const quoted = await findQuoted(context.db, channel, reaction.message_id)
  if (!quoted) return ignored('It is about a message that is not known here.')
  const { conversation_id, shown } = quoted
  const emoji = reaction.emoji?.slice(0, 20)
  const body = emoji ? `Reacted with ${emoji} to “${shown}”` : `Took back the reaction to “${shown}”`
  const note = { conversation_id, external_id: message.id, body }
  const message_id = await context.change((tx) => postNote(context, tx, whatsapp, note))
  return { state: 'done', conversation_id, message_id }
}

/** Somebody has a new number or user id: they stay the same customer, and answers go to the new one. */
export async function receiveSystem(
  context: Context,
  whatsapp: Whatsapp,
  { person, message }: MessageEvent,
): Promise<InboundOutcome> {
  const { success, data: notice } = z.safeParse(SystemNotice, message.system)
  if (!success || !/^user_changed_(number|user_id)$/.test(notice.type ?? '')) return ignored('Its type is unknown.')
  const after = readChanged(person, notice)
  if (!targetOf(after)) return ignored('It names no new number.')
  return context.change(async (tx) => {
    const { account_id, id: authorization_id } = whatsapp
    const customer_id = await moveIdentity(tx, account_id, person, after)
    if (!customer_id) return ignored('Nobody known has changed their number.')
    const conversation_id = await conversationOf(tx, whatsapp, customer_id, message.id)
    const body = after.number
      ? `The customer has a new number: +${after.number}`
      : 'The customer has a new WhatsApp ID.'
    const message_id = await postNote(context, tx, whatsapp, { conversation_id, external_id: message.id, body })
    const channel = { account_id, authorization_id, place: targetOf(after) }
    await linkMessage(tx, { ...channel, external_id: message.id, message_id, direction: 'in' })
    await linkThread(tx, { ...channel, thread: conversation_id, conversation_id, role: 'origin' })
    return { state: 'done', conversation_id, customer_id, message_id }
  })
}

function readChanged(before: Person, { wa_id, new_wa_id, user_id }: z.output<typeof SystemNotice>): Person {
  const number = [new_wa_id, wa_id].find((digits) => digits && /^\d{5,20}$/.test(digits) && digits !== before.number)
  return { number, user_id: user_id?.slice(0, 128) ?? before.user_id, name: before.name }
}

/** Meta sends no more marketing to whoever refuses it; everything else still reaches them. */
export async function receivePreference(
  context: Context,
  whatsapp: Whatsapp,
  { person, value, at }: Extract<FromWhatsapp, { kind: 'preference' }>,
): Promise<InboundOutcome> {
  return context.change(async (tx) => {
    const customer_id = await findOrCreatePerson(tx, whatsapp.account_id, person)
    const external_id = `preference ${targetOf(person)} ${at}`
    const conversation_id = await conversationOf(tx, whatsapp, customer_id, external_id)
    const body =
      value === 'stop'
        ? 'The customer wants no more marketing messages over WhatsApp. Marketing templates no longer reach them.'
        : 'The customer accepts marketing messages over WhatsApp again.'
    const message_id = await postNote(context, tx, whatsapp, { conversation_id, external_id, body })
    return { state: 'done', conversation_id, customer_id, message_id }
  })
}

function conversationOf(tx: Change, { account_id, id, inbox_id }: Whatsapp, customer_id: string, external_id: string) {
  const conversation_id = deriveId(`whatsapp conversation ${id} ${external_id}`)
  return continueConversation(tx, account_id, { id: conversation_id, customer_id, inbox_id, source: 'whatsapp' })
}
