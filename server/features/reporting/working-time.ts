import { type RawBuilder, sql } from 'kysely'
import { isOutsideWorkingHours, type WorkingHours } from '#contract/working-hours.ts'

const MINUTES_OF_DAY = 1440
const MINUTES_OF_WEEK = 7 * MINUTES_OF_DAY
const SECONDS_OF_WEEK = 60 * MINUTES_OF_WEEK
/** 1 January 1970 was a Thursday; weeks begin on Monday here. */
const FROM_MONDAY = 3 * 86_400

/** How many seconds are worked from Monday's midnight to the beginning of each minute of the week, and to its end. */
export function workedSeconds(hours: WorkingHours[]): number[] {
  const worked = [0]
  for (let minute = 0; minute < MINUTES_OF_WEEK; minute++) {
    const isOpen = !isOutsideWorkingHours(hours, Math.floor(minute / MINUTES_OF_DAY), minute % MINUTES_OF_DAY)
    worked.push(worked[minute]! + (isOpen ? 60 : 0))
  }
  return worked
}

interface Seconds {
  /** What the query begins with, and what it joins. */
  tables: RawBuilder<unknown>
  join: RawBuilder<unknown>
  between(from: string, to: string): RawBuilder<unknown>
}

/** SQL for the seconds between two columns, or of those only the ones within working hours; null where one of them is. */
export function secondsBetween(time_zone: string, hours: WorkingHours[] | undefined): Seconds {
  const worked = hours && workedSeconds(hours)
  const of_week = worked?.at(-1) ?? 0
  if (!worked || of_week === 0) {
    return {
      tables: sql``,
      join: sql``,
      between: (from, to) => sql`greatest(0, extract(epoch from ${sql.ref(to)} - ${sql.ref(from)}))::float8`,
    }
  }
  // Seconds worked since some Monday long ago: whole weeks, then minutes by the table, then what is left of a minute.
  const until = (column: string) => sql`(
    select floor(at / ${SECONDS_OF_WEEK}) * ${of_week} + clock.worked[minute + 1]
           + (clock.worked[minute + 2] - clock.worked[minute + 1]) / 60.0 * (rest - minute * 60)
    from (select extract(epoch from ${sql.ref(column)} at time zone ${time_zone})::float8 + ${FROM_MONDAY} as at) as moment,
         lateral (select at - floor(at / ${SECONDS_OF_WEEK}) * ${SECONDS_OF_WEEK} as rest) as week,
         lateral (select floor(rest / 60)::int as minute) as place)`
  return {
    tables: sql`clock as (select ${worked}::int[] as worked),`,
    join: sql`cross join clock`,
    between: (from, to) => sql`greatest(0, ${until(to)} - ${until(from)})::float8`,
  }
}
