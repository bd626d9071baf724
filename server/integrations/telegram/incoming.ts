import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { Forbidden } from '../../errors.ts'
import { findMessage, linkMessage, linkThread } from '../../features/connections/external-links/external-links.ts'
import { mirrorChange } from '../../features/connections/mirrors/changes.ts'
import { continueConversation } from '../../features/conversations/conversations/continuing.ts'
import { postMessage } from '../../features/conversations/conversations/posting.ts'
import { type InboundOutcome, ignored, type ReceivedEvent } from '../../integration.ts'
import type { Change, Db } from '../../platform/db/change.ts'
import { deriveId } from '../../platform/secrets.ts'
import { gatherAlbum } from './album.ts'
import { chatAddressOf } from './chat-address.ts'
import { loadTelegram, type Telegram } from './connection.ts'
import { type Content, readContent } from './content.ts'
import { storeFiles } from './files.ts'
import { leaveGroup } from './groups.ts'
import { findInvitation, redeemInvitation } from './invitations.ts'
import { recordMembership } from './membership.ts'
import { findOrCreateSender, recordOwnPhone } from './sender.ts'
import { type TelegramMessage, Update } from './updates.ts'

/** Handles one update. */
export async function receiveFromTelegram(context: Context, event: ReceivedEvent): Promise<InboundOutcome> {
  const { account_id, authorization_id, payload } = event
  const telegram = authorization_id ? await loadTelegram(context, account_id, authorization_id) : undefined
  if (!telegram) return ignored('Its bot has been disconnected.')
  const parsed = z.safeParse(Update, payload)
  if (!parsed.success) return ignored('Its type is unknown.')
  const { message, edited_message, my_chat_member } = parsed.data
  const about = message ?? edited_message ?? my_chat_member
  if (!about) return ignored('Its type is unknown.')
  if (about.chat.type !== 'private') return leaveGroup(context, telegram, about.chat)
  if (my_chat_member) return recordMembership(context, telegram, my_chat_member)
  if (edited_message) return receiveEdit(context, telegram, event, edited_message)
  return receiveMessage(context, telegram, event, message!)
}

async function receiveMessage(
  context: Context,
  telegram: Telegram,
  event: ReceivedEvent,
  message: TelegramMessage,
): Promise<InboundOutcome> {
  if (!message.from || message.from.is_bot) return ignored('It was not written by a person.')
  // A repeat, or a part of an album that was stored with its first one: its files are not fetched again.
  const stored = await findStored(context.db, chatKeyOf(telegram, message), message)
  if (stored) return stored
  const messages = await gatherAlbum(context, event, message)
  const contents = messages.flatMap((part) => readContent(part) ?? [])
  if (contents.length === 0) return ignored('It is a remark of Telegram about the chat.')
  const { file_ids, lines } = await storeFiles(context, telegram, contents)
  const content = { body: [bodyOf(contents), ...lines].filter(Boolean).join('\n\n'), file_ids }
  try {
    return await context.change((tx) => post(context, tx, telegram, messages, content))
  } catch (error) {
    if (error instanceof Forbidden) return ignored('The customer is blocked.')
    throw error
  }
}

/** The captions of an album, which usually has one, or the text of a message. */
function bodyOf(contents: Content[]): string {
  return contents
    .map(({ body }) => body)
    .filter(Boolean)
    .join('\n\n')
}

interface Posted {
  body: string
  file_ids: string[]
}

async function post(
  context: Context,
  tx: Change,
  telegram: Telegram,
  messages: TelegramMessage[],
  { body, file_ids }: Posted,
): Promise<InboundOutcome> {
  const [first] = messages as [TelegramMessage]
  const { account_id, id: authorization_id } = telegram
  const chat = chatKeyOf(telegram, first)
  const message_id = deriveId(`telegram ${authorization_id} ${chat.place} ${first.message_id}`)
  const isNew = await linkMessage(tx, link(chat, first, message_id))
  if (!isNew) return (await findStored(tx.db, chat, first)) ?? ignored('It was already received.')
  for (const part of messages.slice(1)) await linkMessage(tx, link(chat, part, message_id))
  const invitation = await findInvitation(tx, telegram, first)
  const customer_id = invitation
    ? await redeemInvitation(context, tx, telegram, invitation, first)
    : await findOrCreateSender(tx, account_id, first.from!)
  await recordOwnPhone(tx, account_id, customer_id, first)
  const conversation_id = await continueConversation(tx, account_id, {
    id: deriveId(`telegram conversation ${telegram.id} ${first.chat.id} ${first.message_id}`),
    customer_id,
    inbox_id: telegram.inbox_id,
    source: 'telegram',
    previous_id: invitation?.conversation_id,
  })
  await linkThread(tx, { ...chat, thread: conversation_id, conversation_id, role: 'origin' })
  await postMessage(
    context,
    tx,
    account_id,
    { kind: 'customer', customer_id },
    {
      id: message_id,
      conversation_id,
      // The token of a link is worth nothing any more, and says nothing to people.
      body: /^\/start(\s|$)/.test(first.text ?? '') ? '/start' : body,
      source: 'telegram',
      type: 'reply',
      file_ids,
    },
  )
  return { state: 'done', conversation_id, customer_id, message_id }
}

interface ChatKey {
  account_id: string
  authorization_id: string
  place: string
}

function chatKeyOf({ account_id, id, settings }: Telegram, { chat }: TelegramMessage): ChatKey {
  return { account_id, authorization_id: id, place: chatAddressOf(settings, chat.id) }
}

function link(chat: ChatKey, { message_id: external_id }: TelegramMessage, message_id: string) {
  return { ...chat, external_id: String(external_id), message_id, direction: 'in' as const }
}

async function findStored(db: Db, chat: ChatKey, message: TelegramMessage): Promise<InboundOutcome | undefined> {
  const stored = await findMessage(db, chat, String(message.message_id))
  return stored?.message_id ? { state: 'done', message_id: stored.message_id } : undefined
}

/** A change that is not visible here, such as one of a link's preview, is none; a live location is shown as it was. */
async function receiveEdit(
  context: Context,
  telegram: Telegram,
  event: ReceivedEvent,
  message: TelegramMessage,
): Promise<InboundOutcome> {
  if (message.location) return ignored('Only the first position of a live location is shown.')
  const { account_id, id: authorization_id, settings } = telegram
  const changed = await mirrorChange(context, {
    account_id,
    authorization_id,
    channel_id: chatAddressOf(settings, message.chat.id),
    external_id: String(message.message_id),
    readBody: async () => readContent(message)?.body ?? '',
    version: event.key,
    vendor: 'Telegram',
  })
  return changed ?? receiveMessage(context, telegram, event, message)
}
