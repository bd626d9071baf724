import type { TelegramSettings } from './connection.ts'

/**
 * The address under which a chat's threads and messages are stored. Numbers of messages begin anew with each bot, and
 * another bot may be connected to the same inbox later.
 */
export function chatAddressOf({ bot_id }: TelegramSettings, chat_id: number | string): string {
  return `${bot_id} ${chat_id}`
}

/** The id of the chat with this address; undefined if it was a chat with another bot, who cannot write there. */
export function chatAt({ bot_id }: TelegramSettings, chatAddress: string): string | undefined {
  const [bot, chat_id] = chatAddress.split(' ')
  return bot === bot_id ? chat_id : undefined
}
