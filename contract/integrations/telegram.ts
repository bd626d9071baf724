import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { FilledText, Id, ifAny, maybe, Timestamp } from '../wire.ts'

/** A connected Telegram bot, with its token masked. */
export const TelegramConnection = z.object({
  id: z.string(),
  object: z.literal('telegram_connection'),
  inbox_id: z.string(),
  bot_name: z.string().check(z.describe('As customers see it.')),
  bot_username: z.string().check(z.describe('Without `@`. Customers find the bot at `https://t.me/` and this name.')),
  token: z.string().check(z.describe('A mask. Sending it back keeps the token.')),
  created_at: Timestamp,
})
export type TelegramConnection = z.output<typeof TelegramConnection>

const TelegramDraft = z.object({
  token: FilledText(200).check(z.trim()).check(z.describe('From @BotFather. Send the mask back to keep it.')),
  inbox_id: maybe(Id).check(z.describe('The primary inbox by default.')),
  removes_webhook: ifAny(z.boolean()).check(
    z.describe('Whether messages are taken from another program that receives them so far.'),
  ),
})
export type TelegramDraft = z.output<typeof TelegramDraft>

/** Calls about Telegram. */
export const telegram = {
  connect: endpoint('admin', 'POST', '/api/telegram/connections', {
    summary: 'Connects a Telegram bot to an inbox, after checking its token. A masked token keeps the stored one.',
    body: z.object({ connection: TelegramDraft }),
    answer: data(
      z.union([
        z.object({ ok: z.literal(true), id: z.string() }),
        z.object({
          ok: z.literal(false),
          webhook_host: z
            .string()
            .check(z.describe('Another program receives the messages there. Nothing was connected.')),
        }),
      ]),
    ),
    limit: 'message',
    session_only: true,
  }),
  get: endpoint('user', 'GET', '/api/telegram/connection', {
    summary: 'Returns the Telegram bot of an inbox, by default the primary one, or null.',
    query: z.object({ inbox_id: z.optional(Id) }),
    answer: data(z.nullable(TelegramConnection)),
  }),
  remove: endpoint('admin', 'DELETE', '/api/telegram/connections/:id', {
    summary: 'Disconnects a Telegram bot. Waiting deliveries are kept for the next connection.',
    answer: z.null(),
    status: 204,
  }),
  invite: endpoint('user', 'POST', '/api/conversations/:conversation_id/telegram_invitation', {
    summary:
      'Creates a link that continues a conversation in Telegram: whoever opens it within an hour, once, is its customer.',
    answer: data(
      z.object({
        url: z.string().check(z.describe('For this customer only.')),
        expires_at: Timestamp.check(z.describe('Until when the link works, unless it was used.')),
      }),
    ),
    limit: 'message',
  }),
}
