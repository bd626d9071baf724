import { type RawBuilder, sql } from 'kysely'
import { isOutsideWorkingHours, type WorkingHours } from '#contract/working-hours.ts'

const MINUTES_OF_DAY = 1440
const MINUTES_OF_WEEK = 7 * MINUTES_OF_DAY
const SECONDS_OF_WEEK = 60 * MINUTES_OF_WEEK
/** 1 January 1970 was a Thursday; weeks begin on Monday here. */
const FROM_MONDAY = 3 * 86_400

/** A part of the week without a break, in seconds since Monday's midnight. */
interface Span {
  from: number
  to: number
}

/** When the team works in a week, in order and apart from each other. */
export function workedSpans(hours: WorkingHours[]): Span[] {
  const spans: Span[] = []
  for (let minute = 0; minute < MINUTES_OF_WEEK; minute++) {
    if (isOutsideWorkingHours(hours, Math.floor(minute / MINUTES_OF_DAY), minute % MINUTES_OF_DAY)) continue
    const last = spans.at(-1)
    if (last?.to === minute * 60) last.to += 60
    else spans.push({ from: minute * 60, to: minute * 60 + 60 })
  }
  return spans
}

/** SQL for moments as numbers, of which two are so many seconds apart as lie between them. */
export interface Clock {
  /** A moment as one number. */
  read(column: string): RawBuilder<unknown>
  /** The day in the account's time zone; `number` is the column of what was read of that moment. */
  day(moment: string, number: string): RawBuilder<unknown>
  /** What of that number is worked out once, in columns that `between` asks for. */
  place(column: string): RawBuilder<unknown>
  /** Seconds between two moments that were read and placed; null where the second is. */
  between(from: string, to: string): RawBuilder<unknown>
}

/** Counts every second, or only those within working hours. */
export function clockOf(time_zone: string, hours: WorkingHours[] | undefined): Clock {
  const spans = hours ? workedSpans(hours) : []
  return spans.length === 0 ? allSeconds(time_zone) : workedSeconds(time_zone, spans)
}

function allSeconds(time_zone: string): Clock {
  return {
    // Not `extract`, which goes by way of a numeric and takes three times as long.
    read: (column) => sql`date_part('epoch', ${sql.ref(column)})`,
    day: (moment) => sql`(${sql.ref(moment)} at time zone ${time_zone})::date`,
    place: (column) => sql.ref(column),
    // `greatest` alone passes over what is null.
    between: (from, to) =>
      sql`case when ${sql.ref(to)} is not null then greatest(0, ${sql.ref(to)} - ${sql.ref(from)}) end`,
  }
}

/**
 * Seconds worked since some Monday long ago: those of whole weeks, and those of the week that has begun. The latter grow by one a
 * second within a span and stay as they are after it, so the span in which a moment lies, or after which, is all that is looked up.
 */
function workedSeconds(time_zone: string, spans: Span[]): Clock {
  const of_week = spans.reduce((sum, { from, to }) => sum + to - from, 0)
  const week = sql`${SECONDS_OF_WEEK}::float8`
  const { starts, shifts, ends } = listSpans(spans)
  const rest = (column: string) => sql`(${sql.ref(column)} - floor(${sql.ref(column)} / ${week}) * ${week})`
  const until = (column: string) => {
    const span = sql.ref(`${column}_span`)
    const of_this_week = sql`least(${sql.ref(`${column}_rest`)} + (${shifts}::float8[])[${span}], (${ends}::float8[])[${span}])`
    return sql`(${sql.ref(`${column}_weeks`)} * ${of_week}::float8 + ${of_this_week})`
  }
  return {
    read: (column) => sql`date_part('epoch', ${sql.ref(column)} at time zone ${time_zone}) + ${FROM_MONDAY}::float8`,
    // Converting to a time zone is what costs most, so it is not done again.
    day: (_, number) => sql`date '1970-01-01' + floor((${sql.ref(number)} - ${FROM_MONDAY}::float8) / 86400)::int`,
    place: (column) => sql`
      floor(${sql.ref(column)} / ${week}) as ${sql.ref(`${column}_weeks`)}, ${rest(column)} as ${sql.ref(`${column}_rest`)},
      width_bucket(${rest(column)}, ${starts}::float8[]) as ${sql.ref(`${column}_span`)}`,
    between: (from, to) =>
      sql`case when ${sql.ref(`${to}_weeks`)} is not null then greatest(0, ${until(to)} - ${until(from)}) end`,
  }
}

/** When each span begins, what is added to a moment in it to get the seconds worked so far, and how many these are at its end. */
function listSpans(spans: Span[]) {
  const starts: number[] = []
  const shifts: number[] = []
  const ends: number[] = []
  let worked = 0
  // Before the first one nothing has been worked.
  for (const { from, to } of [{ from: 0, to: 0 }, ...spans]) {
    starts.push(from)
    shifts.push(worked - from)
    worked += to - from
    ends.push(worked)
  }
  return { starts, shifts, ends }
}
