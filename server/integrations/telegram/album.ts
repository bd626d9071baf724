import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { listWaitingBeside } from '../../features/connections/inbound/waiting.ts'
import { type ReceivedEvent, RetryLater } from '../../integration.ts'
import { TelegramMessage } from './updates.ts'

/** How long the next part of an album is waited for. Telegram sends each picture by itself. */
export const ALBUM_MS = 2_000

const AlbumPart = z.object({ message: TelegramMessage })

/**
 * The parts of the album that a message begins, in order; the message alone if it is none.
 * @throws RetryLater while further parts may follow
 */
export async function gatherAlbum(
  { db }: Pick<Context, 'db'>,
  { account_id, id }: ReceivedEvent,
  first: TelegramMessage,
): Promise<TelegramMessage[]> {
  const { media_group_id } = first
  if (!media_group_id) return [first]
  const waiting = await listWaitingBeside(db, account_id, id)
  const parts = waiting.flatMap(({ payload, created_at }) => {
    const read = z.safeParse(AlbumPart, payload)
    const message = read.data?.message
    return message?.media_group_id === media_group_id ? [{ message, created_at }] : []
  })
  const complete_at = Math.max(...parts.map(({ created_at }) => Date.parse(created_at))) + ALBUM_MS
  if (complete_at > Date.now()) {
    throw new RetryLater('The other pictures of the album are still arriving.', { at: new Date(complete_at) })
  }
  return parts.length > 0 ? parts.map(({ message }) => message) : [first]
}
