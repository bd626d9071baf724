import type { SeededRandom } from './seeded-random.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How often people write at each hour of the day in UTC, compared to the busiest hour. */
const BY_HOUR = [3, 2, 2, 2, 3, 6, 14, 32, 62, 88, 100, 96, 74, 82, 94, 90, 78, 58, 44, 40, 38, 30, 18, 8]
/** From Sunday. */
const BY_WEEKDAY = [38, 100, 96, 90, 86, 80, 46]
/** From January: a shop for lamps is busy in autumn and before Christmas. */
const BY_MONTH = [78, 70, 64, 60, 56, 52, 50, 54, 70, 86, 100, 98]

/** Somebody wrote this long ago, in every seeded company: the inbox looks alive. */
const JUST_NOW_MINUTES = [3, 9, 17, 28, 44, 63, 95, 140, 200, 280, 370, 480]

/**
 * When a conversation begins. A growing company: the nearer to now, the more; with the rhythm of its days, weeks and
 * years.
 * @returns milliseconds since 1970
 */
export function drawBeginning(chance: SeededRandom, now: number, days: number, i: number): number {
  const minutes = JUST_NOW_MINUTES[i]
  if (minutes !== undefined) return now - minutes * MINUTE_MS
  for (;;) {
    const age = days * DAY_MS * (1 - chance.next() ** (1 / 3))
    const at = now - Math.max(age, 8 * HOUR_MS)
    const date = new Date(at)
    const weight = BY_HOUR[date.getUTCHours()]! * BY_WEEKDAY[date.getUTCDay()]! * BY_MONTH[date.getUTCMonth()]!
    if (chance.below(100 ** 3) < weight) return at
  }
}

/** How long the team needs for its first answer, in milliseconds: mostly minutes by chat, hours by mail. */
export function drawFirstReply(chance: SeededRandom, isMail: boolean): number {
  const unit = isMail ? 40 * MINUTE_MS : 90_000
  // Long-tailed: half of them within two units, one of fifty after twenty and more.
  return unit * Math.exp(chance.next() * 3.2 - 0.6)
}

/** The pause before the next message of a conversation, in milliseconds. */
export function drawPause(chance: SeededRandom, isMail: boolean): number {
  return (isMail ? 25 * MINUTE_MS : 40_000) * (0.4 + chance.next() * 4)
}

/** From the last message until somebody closes the conversation, in milliseconds. */
export function drawClosing(chance: SeededRandom): number {
  return MINUTE_MS * (1 + chance.next() ** 3 * 600)
}
