import { type RawBuilder, sql } from 'kysely'
import { isOutsideWorkingHours, type WorkingHours } from '#contract/widget/working-hours.ts'
import { type ZoneOffsets, zoneOffsets } from './zone-offsets.ts'

const MINUTES_OF_DAY = 1440
const MINUTES_OF_WEEK = 7 * MINUTES_OF_DAY
/** People name the ends of their work by multiples of this. */
const ROUND_MINUTES = 5
const SECONDS_OF_WEEK = 60 * MINUTES_OF_WEEK
/** 1 January 1970 was a Thursday; weeks begin on Monday here. */
const FROM_MONDAY = 3 * 86_400

/** An uninterrupted working period of the week, in seconds since Monday's midnight. */
interface Span {
  from: number
  to: number
}

/**
 * The working periods of a week, sorted and disjoint. A chat is open in the whole of its last minute, but people who
 * work from 9:00 to 17:00 work for 480 minutes, whether their end is stored as 17:00 or 16:59.
 */
export function workedSpans(working_hours: WorkingHours[]): Span[] {
  const hours = working_hours.map(withoutEndMinute)
  const spans: Span[] = []
  for (let minute = 0; minute < MINUTES_OF_WEEK; minute++) {
    if (isOutsideWorkingHours(hours, Math.floor(minute / MINUTES_OF_DAY), minute % MINUTES_OF_DAY)) continue
    const last = spans.at(-1)
    if (last?.to === minute * 60) last.to += 60
    else spans.push({ from: minute * 60, to: minute * 60 + 60 })
  }
  return spans
}

/** Entries that last a single minute keep it. */
function withoutEndMinute(entry: WorkingHours): WorkingHours {
  const { start_minute, end_minute } = entry
  if ((end_minute + 1) % ROUND_MINUTES === 0 || end_minute === start_minute) return entry
  return { ...entry, end_minute: (end_minute + MINUTES_OF_DAY - 1) % MINUTES_OF_DAY }
}

/** SQL for converting times to numbers whose difference is the counted seconds between them. */
export interface Clock {
  /** A time as a number. */
  read(column: string): RawBuilder<unknown>
  /** The day in the account's time zone; `number` is the column with the converted time. */
  day(moment: string, number: string): RawBuilder<unknown>
  /** The part of the conversion done once, in columns that `between` uses. */
  place(column: string): RawBuilder<unknown>
  /** Seconds between two converted times; null if the second one is. */
  between(from: string, to: string): RawBuilder<unknown>
}

/** Counts every second, or only those within working hours. */
export function clockOf(time_zone: string, hours: WorkingHours[] | undefined): Clock {
  const spans = hours ? workedSpans(hours) : []
  const [first] = spans
  const isAroundTheClock = first !== undefined && first.to - first.from === SECONDS_OF_WEEK
  return !first || isAroundTheClock ? allSeconds(time_zone) : workedSeconds(time_zone, spans)
}

function allSeconds(time_zone: string): Clock {
  return {
    // Not `extract`, which returns numeric and takes three times as long.
    read: (column) => sql`date_part('epoch', ${sql.ref(column)})`,
    day: (moment) => sql`(${sql.ref(moment)} at time zone ${time_zone})::date`,
    place: (column) => sql.ref(column),
    // `greatest` alone ignores null.
    between: (from, to) =>
      sql`case when ${sql.ref(to)} is not null then greatest(0, ${sql.ref(to)} - ${sql.ref(from)}) end`,
  }
}

/**
 * Working seconds since a Monday long ago: those of whole weeks, and those of the current week. The latter grow by one
 * per second within a working period and are constant after it, so only the period at or before a time is looked up.
 * They are counted on the local clock; where that is set back or forward, hours that it shows twice are added for all
 * later times, and hours that it leaves out are taken off.
 */
function workedSeconds(time_zone: string, spans: Span[]): Clock {
  const of_week = spans.reduce((sum, { from, to }) => sum + to - from, 0)
  const week = sql`${SECONDS_OF_WEEK}::float8`
  const { starts, shifts, ends } = listSpans(spans)
  const { changes, offsets } = zoneOffsets(time_zone)
  const corrections = correctionsOf(spans, { changes, offsets })
  /** The entry of a list that is valid at a time. */
  const at = (list: number[], column: string) =>
    sql`(${list}::float8[])[width_bucket(${sql.ref(column)}, ${changes}::float8[]) + 1]`
  const local = (column: string) => sql`(${sql.ref(column)} + ${at(offsets, column)} + ${FROM_MONDAY}::float8)`
  const rest = (column: string) => sql`(${local(column)} - floor(${local(column)} / ${week}) * ${week})`
  const until = (column: string) => {
    const span = sql.ref(`${column}_span`)
    const of_this_week = sql`least(${sql.ref(`${column}_rest`)} + (${shifts}::float8[])[${span}], (${ends}::float8[])[${span}])`
    return sql`(${sql.ref(`${column}_weeks`)} * ${of_week}::float8 + ${of_this_week} + ${sql.ref(`${column}_correction`)})`
  }
  return {
    read: (column) => sql`date_part('epoch', ${sql.ref(column)})`,
    day: (_, number) => sql`date '1970-01-01' + floor((${local(number)} - ${FROM_MONDAY}::float8) / 86400)::int`,
    place: (column) => sql`
      floor(${local(column)} / ${week}) as ${sql.ref(`${column}_weeks`)}, ${rest(column)} as ${sql.ref(`${column}_rest`)},
      ${at(corrections, column)} as ${sql.ref(`${column}_correction`)},
      width_bucket(${rest(column)}, ${starts}::float8[]) as ${sql.ref(`${column}_span`)}`,
    between: (from, to) =>
      sql`case when ${sql.ref(`${to}_weeks`)} is not null then greatest(0, ${until(to)} - ${until(from)}) end`,
  }
}

/**
 * For each offset of a time zone: the working seconds that the local clock has shown twice until then, less those that
 * it has left out.
 */
function correctionsOf(spans: Span[], { changes, offsets }: ZoneOffsets): number[] {
  const corrections = [0]
  for (const [index, change] of changes.entries()) {
    const [before = 0, after = 0] = offsets.slice(index, index + 2)
    const from = change + FROM_MONDAY + Math.min(before, after)
    const worked = workedWithin(spans, from, from + Math.abs(after - before))
    corrections.push(corrections[index]! + Math.sign(before - after) * worked)
  }
  return corrections
}

/** Working seconds between two times of the local clock, less than a week apart. */
function workedWithin(spans: Span[], from: number, to: number): number {
  const start = from - Math.floor(from / SECONDS_OF_WEEK) * SECONDS_OF_WEEK
  const end = start + to - from
  const next = spans.map((span) => ({ from: span.from + SECONDS_OF_WEEK, to: span.to + SECONDS_OF_WEEK }))
  const parts = [...spans, ...next].map((span) => Math.min(span.to, end) - Math.max(span.from, start))
  return parts.reduce((sum, seconds) => sum + Math.max(0, seconds), 0)
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
  for (const { from, to } of [{ from: 0, to: 0 }, ...spans]) {
    starts.push(from)
    shifts.push(worked - from)
    worked += to - from
    ends.push(worked)
  }
  return { starts, shifts, ends }
}
