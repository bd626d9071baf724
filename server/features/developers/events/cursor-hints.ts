import { perServer } from '../../../context.ts'
import type { Channel } from '../../../platform/realtime/channel.ts'

const EVERY_MS = 15_000

/** Regularly sends connected clients the cursor to resume from. */
interface CursorHints {
  add(channel: Channel): void
  remove(channel: Channel): void
  stop(): void
}

/**
 * The cursor never passes an event that this server's sockets have not received. So a client that stores it misses
 * nothing if its connection is cut between an event and this hint, and receives little twice.
 */
export const cursorHints = perServer(({ eventLog }): CursorHints => {
  const channels = new Set<Channel>()
  const timer = setInterval(() => {
    const position = eventLog.cursor()
    if (position) for (const channel of channels) channel.push('cursor', { cursor: position })
  }, EVERY_MS)
  timer.unref()
  return {
    add: (channel) => void channels.add(channel),
    remove: (channel) => void channels.delete(channel),
    stop: () => clearInterval(timer),
  }
})
