import { clockAt, dayOfClock } from '#contract/days.ts'

/** Day, `YYYY-MM-DD`, and minute of the day on the local clock; undefined without a valid time zone. */
export function readLocalTime(time_zone: string | null, now: Date): { day: string; minute: number } | undefined {
  if (!time_zone) return undefined
  try {
    const clock = clockAt(now, time_zone)
    return { day: dayOfClock(clock), minute: clock.hour * 60 + clock.minute }
  } catch {
    return undefined
  }
}
