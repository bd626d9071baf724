import type { TelegramConnection } from '#contract/integrations/telegram.ts'
import type { Context } from '../../context.ts'
import { findConnected, loadConnected } from '../../features/connections/authorizations/authorizations.ts'
import { maskSecret } from '../../features/connections/authorizations/secrets.ts'
import { chooseInbox } from '../../features/widget/inboxes/inboxes.ts'
import type { ConnectedAuthorization } from '../../integration.ts'

export interface TelegramCredentials {
  token: string
}

export interface TelegramSettings {
  bot_id: string
  bot_name: string
  bot_username: string
}

/** How far updates were read. */
export interface TelegramCursor {
  /** Each bot numbers its updates itself. */
  bot_id: string
  /** The first update that Telegram has not been told to forget; left out once it has been. */
  offset?: number
  /** When Telegram last answered. */
  read_at: string
  /** Since when people are told that messages are missing. */
  gap_at?: string
}

export type Telegram = ConnectedAuthorization<TelegramCredentials, TelegramSettings, TelegramCursor>

/** The bot of an inbox, by default the primary one. */
export async function findTelegram(
  context: Context,
  account_id: string,
  inbox_id: string | null | undefined,
): Promise<Telegram | undefined> {
  const inbox = await chooseInbox(context.db, account_id, inbox_id)
  return inbox && findConnected<Telegram>(context, account_id, { integration: 'telegram', inbox_id: inbox.id })
}

/** A connection by its id, unless it was removed. */
export function loadTelegram(context: Context, account_id: string, id: string): Promise<Telegram | undefined> {
  return loadConnected<Telegram>(context, account_id, id)
}

/** A connection as shown to the team. */
export function presentTelegram({ id, inbox_id, created_at, credentials, settings }: Telegram): TelegramConnection {
  const { bot_name, bot_username } = settings
  return {
    id,
    object: 'telegram_connection',
    inbox_id: inbox_id!,
    bot_name,
    bot_username,
    token: maskSecret(credentials.token),
    created_at,
  }
}
