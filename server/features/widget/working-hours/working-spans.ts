import { addDays } from '#contract/days.ts'
import { type Period, periodsOf, type WorkingCalendar } from '#contract/widget/working-hours.ts'
import { type ZoneOffsets, zoneOffsets } from './zone-offsets.ts'

/** The working hours that apply somewhere, with the time zone of their clock. */
export interface Schedule extends WorkingCalendar {
  time_zone: string
}

/** From a moment until before another one, in milliseconds since 1970. */
export interface Span {
  from: number
  to: number
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440
/** People name the ends of their work by multiples of this. */
const ROUND_MINUTES = 5

/**
 * The uninterrupted working periods between two moments, earliest first. An hour that the local clock shows twice is
 * worked twice, and one that it leaves out is not worked: a second counts if the clock shows a working minute in it.
 */
export function workingSpans(schedule: Schedule, from: number, to: number): Span[] {
  const spans: Span[] = []
  for (const { offset, ...within } of offsetSpans(zoneOffsets(schedule.time_zone), { from, to })) {
    const last = dayOf(within.to + offset)
    // What began on the day before may run past midnight.
    for (let day = addDays(dayOf(within.from + offset), -1); day <= last; day = addDays(day, 1)) {
      const midnight = Date.parse(day) - offset
      for (const period of periodsOf(schedule, day)) {
        const span = clip(minutesOf(period), midnight, within)
        if (span.from < span.to) spans.push(span)
      }
    }
  }
  return joinSpans(spans)
}

/** The stretches of a span with the same distance from UTC, in milliseconds. */
function offsetSpans({ changes, offsets }: ZoneOffsets, { from, to }: Span): (Span & { offset: number })[] {
  return offsets
    .map((offset, index) => ({
      from: Math.max(from, (changes[index - 1] ?? Number.NEGATIVE_INFINITY) * 1000),
      to: Math.min(to, (changes[index] ?? Number.POSITIVE_INFINITY) * 1000),
      offset: offset * 1000,
    }))
    .filter((stretch) => stretch.from < stretch.to)
}

function dayOf(local: number): string {
  return new Date(local).toISOString().slice(0, 10)
}

/**
 * A period as minutes from the midnight before it. A chat is open in the whole of its last minute, but people who work
 * from 9:00 to 17:00 work for 480 minutes, whether their end is stored as 17:00 or 16:59. A single minute stays one.
 */
function minutesOf({ start_minute, end_minute }: Period): Span {
  const isWhole = (end_minute + 1) % ROUND_MINUTES === 0 || end_minute === start_minute
  const end = end_minute + (isWhole ? 1 : 0) + (start_minute > end_minute ? DAY_MINUTES : 0)
  return { from: start_minute, to: end }
}

function clip(minutes: Span, midnight: number, within: Span): Span {
  return {
    from: Math.max(midnight + minutes.from * MINUTE_MS, within.from),
    to: Math.min(midnight + minutes.to * MINUTE_MS, within.to),
  }
}

/** Sorts spans, and joins those that touch or overlap. */
function joinSpans(spans: Span[]): Span[] {
  const joined: Span[] = []
  for (const span of spans.sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else joined.push({ ...span })
  }
  return joined
}
