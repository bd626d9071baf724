import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { listExternalMessages } from '../../features/connections/external-links/external-links.ts'
import { readMessage } from '../../features/connections/mirrors/unsent-messages.ts'
import { postMessage } from '../../features/conversations/conversations/posting.ts'
import type { OpenDelivery, Receipt } from '../../integration.ts'
import { deriveId } from '../../platform/secrets.ts'
import { chatAt } from './chat-address.ts'
import { callTelegram, TelegramRefused } from './client.ts'
import type { Telegram } from './connection.ts'
import type { FormattedText } from './entities.ts'
import { splitText } from './split.ts'
import { toEntities } from './to-entities.ts'

const DROPPED: Receipt = { dropped: true }

interface SentMessage {
  chat_id: string
  number: number
}

/** The messages in Telegram that a message became, in order. */
export async function listSent(
  { db }: Context,
  { account_id, id, settings }: Telegram,
  message_id: string,
): Promise<SentMessage[]> {
  const linked = await listExternalMessages(db, account_id, [message_id])
  return linked
    .filter(({ authorization_id, direction }) => authorization_id === id && direction === 'out')
    .flatMap(({ place: chatAddress, external_id }) => {
      const chat_id = chatAt(settings, chatAddress)
      return chat_id ? [{ chat_id, number: Number(external_id) }] : []
    })
    .sort((a, b) => a.number - b.number)
}

/** Changes a sent text there. Repeating it does no harm. */
export async function changeSent(context: Context, delivery: OpenDelivery<Telegram>): Promise<Receipt> {
  const { account_id, message_id, authorization: telegram } = delivery
  const message = await readMessage(context.db, account_id, message_id!)
  if (!message || message.private) return DROPPED
  const sent = await listSent(context, telegram, message_id!)
  const parts = splitText(toEntities(message))
  // Texts are sent before files.
  const texts = sent.slice(0, sent.length - message.attachments.length)
  if (texts.length === 0 && parts.length === 0) return DROPPED
  if (texts.length !== parts.length) return explain(context, delivery, NOT_CHANGED.length)
  for (const [at, { chat_id, number }] of texts.entries()) {
    const problem = await unlessDone(() => editText(context, telegram, { chat_id, number }, parts[at]!))
    if (problem) return explain(context, delivery, NOT_CHANGED.late)
  }
  return {}
}

/** Removes a message there. Repeating it does no harm. */
export async function removeSent(context: Context, delivery: OpenDelivery<Telegram>): Promise<Receipt> {
  const { message_id, authorization: telegram } = delivery
  const sent = await listSent(context, telegram, message_id!)
  if (sent.length === 0) return DROPPED
  const { token } = telegram.credentials
  for (const { chat_id, number } of sent) {
    const call = { fields: { chat_id, message_id: number } }
    const problem = await unlessDone(() => callTelegram(context, token, 'deleteMessage', z.unknown(), call))
    if (problem) return explain(context, delivery, NOT_REMOVED)
  }
  return {}
}

function editText(
  context: Context,
  { credentials }: Telegram,
  { chat_id, number }: SentMessage,
  { text, entities }: FormattedText,
) {
  const fields = { chat_id, message_id: number, text, entities, link_preview_options: { is_disabled: true } }
  return callTelegram(context, credentials.token, 'editMessageText', z.unknown(), { fields })
}

/** It is as wanted already, or no longer there. */
const DONE = /message is not modified|message to (?:delete|edit) not found/i

/** Telegram's reason if it refuses for good. */
async function unlessDone(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (!(error instanceof TelegramRefused)) throw error
    return DONE.test(error.description) ? undefined : error.description
  }
}

const NOT_CHANGED = {
  late: 'The change of this reply could not be shown in Telegram, which allows it for 48 hours. The customer sees the earlier text.',
  length:
    'The change of this reply could not be shown in Telegram, because its length has changed too much. The customer sees the earlier text: send a new message.',
}
const NOT_REMOVED =
  'A reply was deleted here, but not in Telegram, which allows it for 48 hours. The customer still sees it.'

/** The team sees in a note what the customer still sees. */
async function explain(
  context: Context,
  { account_id, id, conversation_id }: OpenDelivery<Telegram>,
  body: string,
): Promise<Receipt> {
  await context.change((tx) =>
    postMessage(
      context,
      tx,
      account_id,
      { kind: 'bot', user_id: null },
      {
        id: deriveId(`telegram unchanged ${id}`),
        conversation_id: conversation_id!,
        body,
        type: 'note',
        private: true,
        source: 'telegram',
        isQuiet: true,
      },
    ),
  )
  return DROPPED
}
