import type { Db } from '../../platform/db/change.ts'
import type { Log } from '../../platform/log.ts'
import type { Channel } from '../../platform/realtime/channel.ts'
import { currentCursor } from './event-log.ts'

const EVERY_MS = 15_000

/** Tells connected clients, now and then, from where to resume. */
export interface CursorHints {
  tell(channel: Channel): void
  forget(channel: Channel): void
  stop(): void
}

/**
 * The cursor told is the position of one tick ago: what was committed before it has long left for the sockets. So a
 * client that remembers it misses nothing when its line is cut between an event and this hint, and has little to hear
 * twice.
 */
export function createCursorHints(db: Db, log: Log): CursorHints {
  const channels = new Set<Channel>()
  let previous: string | undefined

  async function tick() {
    const cursor = previous
    previous = await currentCursor(db)
    if (cursor) for (const channel of channels) channel.push('cursor', { cursor })
  }
  const timer = setInterval(() => {
    tick().catch((error) => log.warn({ err: error }, 'the event cursor could not be read'))
  }, EVERY_MS)
  timer.unref()
  return {
    tell: (channel) => void channels.add(channel),
    forget: (channel) => void channels.delete(channel),
    stop: () => clearInterval(timer),
  }
}
