import { type Schedule, workingSpans } from './working-spans.ts'

const DAY_MS = 86_400_000
/** Working time is looked for in steps of this length. */
const STEP_MS = 28 * DAY_MS
/** A team that does not work for longer is taken for one that never does. */
const MAX_REST_MS = 2 * 366 * DAY_MS

/**
 * The moment at which this much working time has passed since a start. Without a schedule every second counts.
 * @param from in milliseconds since 1970
 * @param duration in milliseconds; negative or 0 is the start itself
 * @returns in milliseconds since 1970; undefined if the team does not work for two years
 */
export function addWorking(from: number, duration: number, schedule: Schedule | undefined): number | undefined {
  if (!schedule) return from + duration
  if (duration <= 0) return from
  let missing = duration
  let last = from
  for (let start = from; start - last <= MAX_REST_MS; start += STEP_MS) {
    for (const span of workingSpans(schedule, start, start + STEP_MS)) {
      const worked = span.to - span.from
      if (worked >= missing) return span.from + missing
      missing -= worked
      last = span.to
    }
  }
  return undefined
}

/**
 * The latest moment since which this much working time has passed: `addWorking` backwards. Without a schedule every
 * second counts.
 * @returns in milliseconds since 1970; undefined if the team has not worked for two years
 */
export function subtractWorking(to: number, duration: number, schedule: Schedule | undefined): number | undefined {
  if (!schedule) return to - duration
  if (duration <= 0) return to
  let missing = duration
  let first = to
  for (let end = to; first - end <= MAX_REST_MS; end -= STEP_MS) {
    for (const span of workingSpans(schedule, end - STEP_MS, end).reverse()) {
      const worked = span.to - span.from
      if (worked >= missing) return span.to - missing
      missing -= worked
      first = span.from
    }
  }
  return undefined
}

/**
 * The working time between two moments: the inverse of `addWorking`. Without a schedule every second counts.
 * @returns in milliseconds, 0 if the end is before the start
 */
export function workingBetween(from: number, to: number, schedule: Schedule | undefined): number {
  if (!schedule) return Math.max(0, to - from)
  return workingSpans(schedule, from, to).reduce((sum, span) => sum + span.to - span.from, 0)
}
