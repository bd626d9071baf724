import { type RawBuilder, sql } from 'kysely'
import { type Schedule, type Span, workingSpans } from '../../widget/working-hours/working-spans.ts'
import { zoneOffsets } from '../../widget/working-hours/zone-offsets.ts'

/** SQL for converting times to numbers whose difference is the counted seconds between them. */
export interface Clock {
  /** A time as a number. */
  read(column: string): RawBuilder<unknown>
  /** The day in the account's time zone; `number` is the column with the converted time. */
  day(moment: string, number: string): RawBuilder<unknown>
  /** The part of the conversion done once, in columns that `between` uses. */
  locate(column: string): RawBuilder<unknown>
  /** Seconds between two converted times; null if the second one is. */
  between(from: string, to: string): RawBuilder<unknown>
}

/** Counts every second. */
export function allSeconds(time_zone: string): Clock {
  return {
    // Not `extract`, which returns numeric and takes three times as long.
    read: (column) => sql`date_part('epoch', ${sql.ref(column)})`,
    day: (moment) => sql`(${sql.ref(moment)} at time zone ${time_zone})::date`,
    locate: (column) => sql.ref(column),
    // `greatest` alone ignores null.
    between: (from, to) =>
      sql`case when ${sql.ref(to)} is not null then greatest(0, ${sql.ref(to)} - ${sql.ref(from)}) end`,
  }
}

/**
 * Counts the seconds within working hours, for times between two moments. A team without working hours always works.
 * Days are those of a report's time zone, which follows the account's once everything is counted again.
 *
 * The working seconds until a time grow by one per second within a working period and are constant after it, so only the
 * period at or before the time is looked up.
 */
export function workedSeconds(schedule: Schedule, time_zone: string, from: number, to: number): Clock {
  if (schedule.working_hours.length === 0) return allSeconds(time_zone)
  const { starts, shifts, ends } = listSpans(workingSpans(schedule, from, to))
  const { changes, offsets } = zoneOffsets(time_zone)
  const offset = (column: string) =>
    sql`(${offsets}::float8[])[width_bucket(${sql.ref(column)}, ${changes}::float8[]) + 1]`
  const until = (column: string) => {
    const span = sql.ref(`${column}_span`)
    return sql`least(${sql.ref(column)} + (${shifts}::float8[])[${span}], (${ends}::float8[])[${span}])`
  }
  return {
    read: (column) => sql`date_part('epoch', ${sql.ref(column)})`,
    day: (_, number) => sql`date '1970-01-01' + floor((${sql.ref(number)} + ${offset(number)}) / 86400)::int`,
    locate: (column) => sql`
      ${sql.ref(column)}, width_bucket(${sql.ref(column)}, ${starts}::float8[]) as ${sql.ref(`${column}_span`)}`,
    between: (from, to) =>
      sql`case when ${sql.ref(to)} is not null then greatest(0, ${until(to)} - ${until(from)}) end`,
  }
}

/**
 * For each period: its start, the offset that turns a time in it into working seconds so far, and their number at its
 * end.
 */
function listSpans(spans: Span[]) {
  const starts: number[] = []
  const shifts: number[] = []
  const ends: number[] = []
  let worked = 0
  // Before the first period there are no working seconds.
  for (const span of [{ from: 0, to: 0 }, ...spans]) {
    const [from, to] = [span.from / 1000, span.to / 1000]
    starts.push(from)
    shifts.push(worked - from)
    worked += to - from
    ends.push(worked)
  }
  return { starts, shifts, ends }
}
