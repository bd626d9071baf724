import { addDays, dayAt, daysBetween } from '#contract/days.ts'

/** Days in the account's time zone, both included: `YYYY-MM-DD`. */
export interface Range {
  from: string
  to: string
}

export const PRESETS = ['last_7', 'last_30', 'last_90', 'this_month', 'last_month', 'last_365'] as const
export type Preset = (typeof PRESETS)[number]

export const DEFAULT_PRESET: Preset = 'last_30'

/** The account's current day. A zone that this browser does not know yet counts as UTC. */
export function todayIn(time_zone: string | null, now: Date): string {
  try {
    return dayAt(now, time_zone ?? 'UTC')
  } catch {
    return dayAt(now, 'UTC')
  }
}

export function rangeOf(preset: Preset, today: string): Range {
  const month = `${today.slice(0, 7)}-01`
  if (preset === 'this_month') return { from: month, to: today }
  if (preset === 'last_month') {
    const last = addDays(month, -1)
    return { from: `${last.slice(0, 7)}-01`, to: last }
  }
  const days = Number(preset.slice('last_'.length))
  return { from: addDays(today, 1 - days), to: today }
}

/** The period of the same length directly before. */
export function rangeBefore({ from, to }: Range): Range {
  const days = daysBetween(from, to).length
  return { from: addDays(from, -days), to: addDays(from, -1) }
}

/** All days, the first one first. */
export function daysOf({ from, to }: Range): string[] {
  return daysBetween(from, to)
}

/** Whether it is a valid and plausible date. */
export function isDay(text: string | null): text is string {
  return !!text && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}
