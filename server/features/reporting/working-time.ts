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
  /** What of that number is worked out once, in columns that `between` asks for. */
  place(column: string): RawBuilder<unknown>
  /** Seconds between two moments that were read and placed; null where the second is. */
  between(from: string, to: string): RawBuilder<unknown>
}

/** Counts every second, or only those within working hours. */
export function clockOf(time_zone: string, hours: WorkingHours[] | undefined): Clock {
  const spans = hours ? workedSpans(hours) : []
  return spans.length === 0 ? allSeconds : workedSeconds(time_zone, spans)
}

const allSeconds: Clock = {
  read: (column) => sql`extract(epoch from ${sql.ref(column)})::float8`,
  place: (column) => sql.ref(column),
  // `greatest` alone passes over what is null.
  between: (from, to) =>
    sql`case when ${sql.ref(to)} is not null then greatest(0, ${sql.ref(to)} - ${sql.ref(from)}) end`,
}

/** Seconds worked since some Monday long ago: those of whole weeks, and of each span what of it is over. */
function workedSeconds(time_zone: string, spans: Span[]): Clock {
  const of_week = spans.reduce((sum, { from, to }) => sum + to - from, 0)
  const week = sql`${SECONDS_OF_WEEK}::float8`
  const until = (column: string) => {
    const rest = sql.ref(`${column}_rest`)
    const parts = spans.map(({ from, to }) =>
      from === 0
        ? sql`least(${rest}, ${to}::float8)`
        : sql`least(greatest(${rest} - ${from}::float8, 0), ${to - from}::float8)`,
    )
    return sql`(${sql.ref(`${column}_weeks`)} * ${of_week}::float8 + ${sql.join(parts, sql` + `)})`
  }
  return {
    read: (column) =>
      sql`extract(epoch from ${sql.ref(column)} at time zone ${time_zone})::float8 + ${FROM_MONDAY}::float8`,
    place: (column) => sql`
      floor(${sql.ref(column)} / ${week}) as ${sql.ref(`${column}_weeks`)},
      ${sql.ref(column)} - floor(${sql.ref(column)} / ${week}) * ${week} as ${sql.ref(`${column}_rest`)}`,
    between: (from, to) =>
      sql`case when ${sql.ref(`${to}_weeks`)} is not null then greatest(0, ${until(to)} - ${until(from)}) end`,
  }
}
