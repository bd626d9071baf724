import { clockAt } from '#contract/days.ts'

/** The time at which a day (`2026-11-21`) begins in a time zone; an unknown zone counts as UTC. */
export function startOfLocalDay(day: string, zone: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // Twice, because the first guess may be on the other side of a clock change.
  const guess = midnight - offsetAt(midnight, zone)
  return new Date(midnight - offsetAt(guess, zone)).toISOString()
}

/** How many milliseconds local time is ahead of UTC. */
function offsetAt(moment: number, zone: string): number {
  try {
    const { year, month, day, hour, minute, second } = clockAt(new Date(moment), zone)
    const clock = Date.UTC(year, month - 1, day, hour, minute, second)
    return clock - moment
  } catch {
    return 0
  }
}
