import type { Context } from '../../context.ts'
import { chooseRoute } from '../../features/connections/deliveries/plan-reply.ts'
import { linkMessage, listThreads } from '../../features/connections/external-links/external-links.ts'
import { findIdentity, setUnsubscribed } from '../../features/connections/external-links/identities.ts'
import { readMessage } from '../../features/connections/mirrors/unsent-messages.ts'
import { getConversationRow } from '../../features/conversations/conversations/conversations.ts'
import { loadFiles } from '../../features/conversations/files/files.ts'
import {
  type NewDelivery,
  type OpenDelivery,
  OutcomeUnknown,
  PermanentFailure,
  type Planned,
  type Receipt,
} from '../../integration.ts'
import type { Db } from '../../platform/db/change.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { changeSent, listSent, removeSent } from './changes.ts'
import { chatAddressOf, chatAt } from './chat-address.ts'
import { TelegramRefused } from './client.ts'
import type { Telegram } from './connection.ts'
import { lengthOf, splitMessage } from './pieces.ts'
import { sendPiece } from './send-piece.ts'

/**
 * The team's replies and what changes about them, sent by the bot to which the customer wrote, else by that of the inbox, such
 * as in a conversation that was split.
 */
export function plan({ event, conversation, authorizations, threads }: Planned): NewDelivery[] {
  if (conversation?.source !== 'telegram') return []
  const origin = threads.findLast(({ role }) => role === 'origin')
  const route = chooseRoute(conversation, authorizations, threads)
  if (!route) return []
  const { id: conversation_id } = conversation
  // What is sent to one chat keeps its order, whichever conversation it belongs to.
  const queue = `telegram ${origin?.place ?? conversation_id}`
  const delivery = { authorization_id: route.id, conversation_id, queue }
  switch (event.type) {
    case 'message:created':
      return [{ ...delivery, kind: 'post', message_id: event.message.id }]
    case 'message:updated': {
      const { id: message_id, edited_at } = event.message
      return edited_at ? [{ ...delivery, kind: 'edit', message_id, version: edited_at }] : []
    }
    case 'message:deleted':
      return event.private ? [] : [{ ...delivery, kind: 'remove', message_id: event.message_id }]
    default:
      return []
  }
}

/**
 * Sends the unsent pieces of a message, or changes or removes what was sent. Each piece is recorded as soon as Telegram has
 * accepted it, so that none is sent twice.
 */
export async function deliverTelegramMessage(context: Context, delivery: OpenDelivery<Telegram>): Promise<Receipt> {
  const { account_id, conversation_id, message_id, kind, authorization: telegram } = delivery
  if (!conversation_id || !message_id) return { dropped: true }
  if (kind === 'edit') return changeSent(context, delivery)
  if (kind === 'remove') return removeSent(context, delivery)
  const message = await readMessage(context.db, account_id, message_id)
  if (!message || message.private || message.customer_id) return { dropped: true }
  const chat_id = await findChat(context, telegram, conversation_id)
  const files = await loadFiles(
    context.db,
    account_id,
    message.attachments.map(({ id }) => id),
  )
  let sent = (await listSent(context, telegram, message_id)).length
  for (const piece of splitMessage(message, files)) {
    sent -= lengthOf(piece)
    if (sent >= 0) continue
    sent = 0
    const target = { token: telegram.credentials.token, chat_id }
    const numbers = await sendPiece(context, target, piece).catch((error: unknown) =>
      explain(context, delivery, chat_id, error),
    )
    const chatAddress = chatAddressOf(telegram.settings, chat_id)
    await context.change(async (tx) => {
      for (const number of numbers) {
        const link = {
          account_id,
          authorization_id: telegram.id,
          place: chatAddress,
          external_id: String(number),
          message_id,
        }
        await linkMessage(tx, { ...link, direction: 'out' })
      }
    })
  }
  return {}
}

/**
 * Telegram lists no sent messages, so nothing can be looked up.
 * @throws OutcomeUnknown for a message; changing or removing it again does no harm
 */
export async function findSent(_: Context, { kind }: OpenDelivery<Telegram>): Promise<undefined> {
  if (kind !== 'post') return undefined
  throw new OutcomeUnknown(
    'Telegram did not answer, so it may have arrived. Ask the customer, or look into the chat, before you send it again.',
  )
}

/**
 * The chat in which the customer wrote, else that of the Telegram user whom they are known to be: a chat has its person's
 * number.
 * @throws PermanentFailure if there is none
 */
async function findChat({ db }: Context, { account_id, id, settings }: Telegram, conversation_id: string) {
  const threads = await listThreads(db, account_id, [conversation_id])
  const chats = threads
    .filter(({ authorization_id, role }) => authorization_id === id && role === 'origin')
    .flatMap(({ place: chatAddress }) => chatAt(settings, chatAddress) ?? [])
  const chat_id = chats.at(-1) ?? (await findUserId(db, account_id, conversation_id))
  if (!chat_id)
    throw new PermanentFailure(
      'The customer has not written in Telegram yet, and a bot cannot write first. Invite them.',
    )
  return chat_id
}

async function findUserId(db: Db, account_id: string, conversation_id: string): Promise<string | undefined> {
  const { customer_id } = await getConversationRow(db, account_id, conversation_id)
  const identity = await ofAccount(db, account_id)
    .selectFrom('external_identities')
    .select('external_id')
    .where('customer_id', '=', customer_id)
    .where('integration', '=', 'telegram')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return identity?.external_id
}

/** Somebody who has blocked the bot is marked, until they come back. */
async function explain(
  context: Context,
  { account_id }: OpenDelivery<Telegram>,
  user_id: string,
  error: unknown,
): Promise<never> {
  const sentence = error instanceof TelegramRefused ? sentenceOf(error.description) : undefined
  if (!sentence) throw error
  const identity = await findIdentity(context.db, account_id, 'telegram', user_id)
  if (sentence === BLOCKED && identity && !identity.unsubscribed_at) {
    await context.change((tx) => setUnsubscribed(tx, account_id, 'telegram', user_id, new Date().toISOString()))
  }
  throw new PermanentFailure(sentence)
}

const BLOCKED = 'The customer has blocked the bot in Telegram. They can be reached again once they start it.'

/** What Telegram says, in its own words, and what to do about it. */
const SENTENCES: [RegExp, string][] = [
  [/bot was blocked by the user|bot can't initiate/i, BLOCKED],
  [/user is deactivated/i, 'The customer has deleted their Telegram account.'],
  [/chat not found/i, 'The chat no longer exists: the customer has deleted it or their account.'],
  [/too big|too large/i, 'A file is too large for Telegram. Send a link to it instead.'],
]

function sentenceOf(description: string): string | undefined {
  return SENTENCES.find(([pattern]) => pattern.test(description))?.[1]
}
