import type { Report } from '#contract/conversations/reporting.ts'
import { formatNumber } from '../../../platform/formats.ts'

/** Formats a duration as `1h 2m 5s`, as specified, without leading zeros. */
export function inHours(seconds: number): string {
  const whole = Math.round(seconds)
  const [hours, minutes, remainder] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  if (hours > 0) return `${hours}h ${minutes}m ${remainder}s`
  return minutes > 0 ? `${minutes}m ${remainder}s` : `${remainder}s`
}

/** The change in percent, with two decimals; undefined if the earlier value is zero. */
export function changeInPercent(before: number, now: number): number | undefined {
  return before === 0 ? undefined : ((now - before) / before) * 100
}

/** `+3.25%` */
export function writePercent(change: number): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return formatNumber(change / 100, { style: 'percent', signDisplay: 'exceptZero', ...digits })
}

const SHOWN = 4
const MAX_ENTRIES = 5

/** The four largest, with the others combined, if there are more than five. */
export function topOf<Entry extends { count: number }>(
  entries: Entry[],
  nameOf: (entry: Entry) => string,
  other: string,
): { name: string; count: number }[] {
  const named = entries.map((entry) => ({ name: nameOf(entry), count: entry.count }))
  if (named.length <= MAX_ENTRIES) return named
  const otherCount = named.slice(SHOWN).reduce((sum, { count }) => sum + count, 0)
  return [...named.slice(0, SHOWN), { name: other, count: otherCount }]
}

export function sumOf(counts: { count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0)
}

/** The count for each day; days missing from `counts` are zero. */
export function countsOn(days: string[], counts: Report['messages_by_date']): number[] {
  const countByDate = new Map(counts.map(({ date, count }) => [date, count]))
  return days.map((day) => countByDate.get(day) ?? 0)
}
