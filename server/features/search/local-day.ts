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
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }).formatToParts(moment)
    const read = (type: string) => Number(parts.find((part) => part.type === type)?.value)
    const clock = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'))
    return clock - moment
  } catch {
    return 0
  }
}
