import { workedSpans } from '../reporting/working-time.ts'
import { type ZoneOffsets, zoneOffsets } from '../reporting/zone-offsets.ts'

const SECONDS_OF_WEEK = 7 * 86_400
/** 1 January 1970 was a Thursday; weeks begin on Monday here. */
const FROM_MONDAY = 3 * 86_400
/** Longer waits are not looked for: hardly anybody works so little. */
const MAX_WEEKS = 520

export type WorkingWeek = Parameters<typeof workedSpans>[0]

/**
 * The latest time since which this many minutes have passed, counting only those within working hours. What has waited
 * since then, or longer, has waited that long. Without working hours every minute counts.
 */
export function workingSince(now: Date, minutes: number, hours: WorkingWeek, time_zone: string): Date {
  const spans = workedSpans(hours).reverse()
  const seconds = now.getTime() / 1000
  let remaining = minutes * 60
  if (spans.length === 0) return new Date((seconds - remaining) * 1000)
  const zone = zoneOffsets(time_zone)
  const thisWeek = Math.floor((seconds + offsetAt(zone, seconds) + FROM_MONDAY) / SECONDS_OF_WEEK)
  for (let week = thisWeek; week > thisWeek - MAX_WEEKS; week--) {
    for (const span of spans) {
      const from = toUtc(zone, week * SECONDS_OF_WEEK + span.from)
      const to = Math.min(seconds, toUtc(zone, week * SECONDS_OF_WEEK + span.to))
      if (to <= from) continue
      if (to - from >= remaining) return new Date((to - remaining) * 1000)
      remaining -= to - from
    }
  }
  return new Date((seconds - MAX_WEEKS * SECONDS_OF_WEEK) * 1000)
}

function offsetAt({ changes, offsets }: ZoneOffsets, seconds: number): number {
  return offsets[changes.filter((change) => change <= seconds).length] ?? 0
}

/** Seconds of the local clock, counted from a Monday, as seconds since 1970. */
function toUtc(zone: ZoneOffsets, local: number): number {
  const guess = local - FROM_MONDAY - offsetAt(zone, local - FROM_MONDAY)
  return local - FROM_MONDAY - offsetAt(zone, guess)
}
