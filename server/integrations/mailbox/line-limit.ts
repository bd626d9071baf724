import { refill } from '../../platform/limits/limits.ts'

/** Lines that a mail server may send: far more than a mailbox with many folders needs, or one that is being emptied. */
const LINES = { capacity: 20_000, perSecond: 500 }

/**
 * Counts the lines of one mail server, as the logger of its connection, which is called once for each. A server that
 * sends lines without end would otherwise keep this process from doing anything else.
 */
export function countLines(onFlood: () => void) {
  let lines = LINES.capacity
  let countedAt = performance.now()
  const count = (entry: { src?: unknown }) => {
    if (entry.src !== 's') return
    const now = performance.now()
    lines = refill(lines, now - countedAt, LINES) - 1
    countedAt = now
    if (lines < 0) onFlood()
  }
  return { trace: count, debug: count, info: count, warn: count, error: count }
}
