import type { TelegramSettings } from './connection.ts'

/**
 * A chat as a place of threads and messages. Numbers of messages begin anew with each bot, and another bot may be connected
 * to the same inbox later.
 */
export function placeOf({ bot_id }: TelegramSettings, chat_id: number | string): string {
  return `${bot_id} ${chat_id}`
}

/** The id of a chat at a place; undefined if it was a chat with another bot, who cannot write there. */
export function chatAt({ bot_id }: TelegramSettings, place: string): string | undefined {
  const [bot, chat_id] = place.split(' ')
  return bot === bot_id ? chat_id : undefined
}
