import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { InboundOutcome } from '../../integration.ts'
import { callTelegram, TelegramRefused } from './client.ts'
import type { Telegram } from './connection.ts'

const IN_PRIVATE =
  'Hello! I answer in private chats only: open one with me and write there. I am leaving this group now.'

/** In a group nobody could tell whom an answer is for, so the bot says that once and leaves. */
export async function leaveGroup(
  context: Context,
  { credentials: { token } }: Telegram,
  { id: chat_id, type }: { id: number; type: string },
): Promise<InboundOutcome> {
  const call = (method: string, fields: object) =>
    callTelegram(context, token, method, z.unknown(), { fields: { chat_id, ...fields } }).catch((error: unknown) => {
      // It was removed, or may not write there.
      if (!(error instanceof TelegramRefused)) throw error
      return undefined
    })
  const isMember = await call('getChat', {})
  if (isMember && type !== 'channel') await call('sendMessage', { text: IN_PRIVATE })
  if (isMember) await call('leaveChat', {})
  return {
    state: 'ignored',
    reason: 'It is from a group. The bot has left it, because it answers in private chats only.',
  }
}
