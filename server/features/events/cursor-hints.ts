import { perServer } from '../../context.ts'
import type { Channel } from '../../platform/realtime/channel.ts'

const EVERY_MS = 15_000

/** Tells connected clients, now and then, from where to resume. */
interface CursorHints {
  tell(channel: Channel): void
  forget(channel: Channel): void
  stop(): void
}

/**
 * The cursor told never passes an event that the sockets of this server have not been told. So a client that remembers it
 * misses nothing when its line is cut between an event and this hint, and has little to receive twice.
 */
export const cursorHints = perServer(({ eventLog }): CursorHints => {
  const channels = new Set<Channel>()
  const timer = setInterval(() => {
    const position = eventLog.cursor()
    if (position) for (const channel of channels) channel.push('cursor', { cursor: position })
  }, EVERY_MS)
  timer.unref()
  return {
    tell: (channel) => void channels.add(channel),
    forget: (channel) => void channels.delete(channel),
    stop: () => clearInterval(timer),
  }
})
