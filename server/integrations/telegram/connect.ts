import * as z from 'zod/mini'
import type { TelegramDraft } from '#contract/integrations/telegram.ts'
import type { Context } from '../../context.ts'
import { Invalid, NotFound } from '../../errors.ts'
import { assertSwitchedOn, connectAuthorization } from '../../features/connections/authorizations/connect.ts'
import { retainMasked } from '../../features/connections/authorizations/secrets.ts'
import { runForCaller } from '../../features/connections/authorizations/vendor-call.ts'
import { adoptWaiting } from '../../features/connections/deliveries/disconnected.ts'
import { wakeSender } from '../../features/connections/deliveries/sender.ts'
import { chooseInbox } from '../../features/widget/inboxes/inboxes.ts'
import { ConnectionRevoked, PermanentFailure } from '../../integration.ts'
import type { User } from '../../platform/caller.ts'
import { callTelegram } from './client.ts'
import { findTelegram, type Telegram, type TelegramSettings } from './connection.ts'

type Answer = { ok: true; id: string } | { ok: false; webhook_host: string }

const TOKEN = /^\d{1,20}:[\w-]{20,100}$/
const NO_TOKEN = 'is no token of a bot. Copy it from @BotFather: it looks like 123456789:AAE…'

/**
 * Connects a bot, after Telegram has accepted its token. While another program receives its messages, that program's host
 * is returned instead, unless the caller has agreed to take them from it.
 * @throws Invalid, or a Refusal with what to do
 */
export async function connectTelegram(context: Context, caller: User, draft: TelegramDraft): Promise<Answer> {
  assertSwitchedOn(context)
  const inbox = await chooseInbox(context.db, caller.account_id, draft.inbox_id)
  if (!inbox) throw new NotFound()
  const existing = await findTelegram(context, caller.account_id, inbox.id)
  const token = retainMasked(draft.token, existing?.credentials.token)
  if (!token || !TOKEN.test(token)) throw new Invalid({ token: [NO_TOKEN] })
  const bot = await readBot(context, token)
  const webhook_host = await runForCaller(() => findWebhookHost(context, token))
  if (webhook_host && !draft.removes_webhook) return { ok: false, webhook_host }
  if (webhook_host) await runForCaller(() => callTelegram(context, token, 'deleteWebhook', z.literal(true)))
  const { id } = await save(context, caller, { inbox_id: inbox.id, token, bot })
  await context.liveConnections.reconcile()
  // Deliveries that waited while it was broken.
  wakeSender(context)
  return { ok: true, id }
}

const Me = z.object({ id: z.number(), is_bot: z.literal(true), first_name: z.string(), username: z.string() })

async function readBot(context: Context, token: string): Promise<TelegramSettings> {
  try {
    const { id, first_name, username } = await callTelegram(context, token, 'getMe', Me, { isReading: true })
    return { bot_id: String(id), bot_name: first_name, bot_username: username }
  } catch (error) {
    if (error instanceof ConnectionRevoked)
      throw new Invalid({ token: ['is not accepted by Telegram. Copy it from @BotFather again.'] })
    return runForCaller(() => Promise.reject(error))
  }
}

const WebhookInfo = z.object({ url: z.string() })

/** The host of the program that Telegram calls for this bot, if there is one. */
async function findWebhookHost(context: Context, token: string): Promise<string | undefined> {
  const { url } = await callTelegram(context, token, 'getWebhookInfo', WebhookInfo, { isReading: true })
  return url ? (URL.parse(url)?.host ?? url.slice(0, 200)) : undefined
}

function save(
  context: Context,
  caller: User,
  { inbox_id, token, bot }: { inbox_id: string; token: string; bot: TelegramSettings },
) {
  return context.change(async (tx) => {
    const connected = await connectAuthorization(context, tx, caller, {
      integration: 'telegram',
      inbox_id,
      label: `@${bot.bot_username}`,
      // The same for ever, unlike its name.
      address: `Bot ${bot.bot_id}`,
      way_in: 'live',
      settings: bot,
      credentials: { token },
    })
    await adoptWaiting(tx, caller.account_id, connected)
    return connected
  })
}

/** The action of the test button: whether the token is accepted, and no other program receives the messages. */
export async function testTelegram(context: Context, { credentials }: Telegram): Promise<void> {
  await runForCaller(async () => {
    await callTelegram(context, credentials.token, 'getMe', Me, { isReading: true })
    const host = await findWebhookHost(context, credentials.token)
    if (host) throw new PermanentFailure(`Messages to this bot are sent to ${host}. Connect it again to receive them.`)
  })
}
