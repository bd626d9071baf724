import { type RawBuilder, sql } from 'kysely'
import type { ReportFilters } from '#contract/conversations/reporting.ts'
import { TimeInput } from '#contract/wire.ts'
import { Invalid, missingParameters, Refusal } from '../../../errors.ts'
import type { Db } from '../../../platform/db/change.ts'

export interface RangeInput {
  from_date?: string | undefined
  to_date?: string | undefined
}

/** An hour in the account's time zone. */
export interface LocalHour {
  /** `YYYY-MM-DD` */
  day: string
  hour: number
}

/** The days and filters of a report. */
export interface ReportRange {
  account_id: string
  filters: ReportFilters
  /** Times in UTC, both exclusive, as existing clients expect. */
  from: string
  to: string
  time_zone: string
  /** Both dates in the account's time zone. */
  first: LocalHour
  last: LocalHour
  /** The first and the last day, `YYYY-MM-DD`. */
  first_day: string
  last_day: string
  /** Whether counts of messages are still of another time zone in part. */
  is_recounting: boolean
}

/** No data exists outside this range. */
const EARLIEST = '2000-01-01'
const LATEST = '2200-01-01'
/** Maximum length of a report in years: no data is older, and each day is a row. */
const MAX_YEARS = 10

/**
 * Parses the parameters of a report.
 * @throws Refusal in the words that existing clients know if a date is missing; Invalid if one is malformed
 */
export async function readFrame(
  db: Db,
  account_id: string,
  { from_date, to_date, ...filters }: RangeInput & ReportFilters,
): Promise<ReportRange> {
  if (!from_date || !to_date) {
    const received = Object.keys({ ...(from_date && { from_date }), ...(to_date && { to_date }) })
    throw new Refusal(400, missingParameters('from_date', 'to_date'), undefined, { details: { received } })
  }
  const { from, to } = { from: momentOf('from_date', from_date), to: momentOf('to_date', to_date) }
  const years = (Date.parse(to.text) - Date.parse(from.text)) / (365.25 * 86_400_000)
  if (years > MAX_YEARS) {
    throw new Invalid({ from_date: [`should be at most ${MAX_YEARS} years before to_date`] })
  }
  const { rows } = await sql<
    Omit<ReportRange, 'account_id' | 'filters' | 'first' | 'last'> &
      Record<'from_day' | 'to_day', string> &
      Record<'from_hour' | 'to_hour', number>
  >`
    with zone as (
      select coalesce(z.time_zone, 'UTC') as time_zone,
             z.account_id is not null and (not z.is_counted or z.chosen_time_zone is distinct from a.time_zone) as is_recounting
      from accounts a left join reporting_time_zones z on z.account_id = a.id
      where a.id = ${account_id}
    ), moments as (
      select zone.*,
             ${from.isDay ? sql`${startOfDay(sql`${from.text}::date`)} - interval '1 ms'` : sql`${from.text}::timestamptz`} as from,
             ${to.isDay ? startOfDay(sql`(${to.text}::date + 1)`) : sql`${to.text}::timestamptz`} as to
      from zone
    ), days as (
      select moments.*, ((moments.from + interval '1 ms') at time zone time_zone)::date as first, ((moments.to - interval '1 ms') at time zone time_zone)::date as last
      from moments
    )
    select time_zone, is_recounting,
           to_json(moments.from at time zone 'UTC') #>> '{}' || 'Z' as "from", to_json(moments.to at time zone 'UTC') #>> '{}' || 'Z' as "to",
           to_char(moments.from at time zone time_zone, 'YYYY-MM-DD') as from_day,
           extract(hour from moments.from at time zone time_zone)::int as from_hour,
           to_char(moments.to at time zone time_zone, 'YYYY-MM-DD') as to_day,
           extract(hour from moments.to at time zone time_zone)::int as to_hour,
           to_char(first, 'YYYY-MM-DD') as first_day, to_char(last, 'YYYY-MM-DD') as last_day
    from days as moments`.execute(db)
  const { from_day, from_hour, to_day, to_hour, ...range } = rows[0]!
  const first = { day: from_day, hour: from_hour }
  return { account_id, filters, ...range, first, last: { day: to_day, hour: to_hour } }
}

/**
 * SQL for the first moment of a day in `time_zone`. Where clocks are set back at one o'clock or at midnight, the first
 * hour comes twice, and the database takes the second one for a day's beginning.
 */
function startOfDay(day: RawBuilder<unknown>): RawBuilder<unknown> {
  const midnight = sql`(${day}::timestamp at time zone time_zone)`
  return sql`(${midnight} - case when (${midnight} - interval '1 hour') at time zone time_zone >= ${day}::timestamp then interval '1 hour' else interval '0' end)`
}

function momentOf(field: string, text: string): { isDay: boolean; text: string } {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const read = TimeInput.safeParse(text)
  if (!read.success) throw new Invalid({ [field]: ['is invalid'] })
  const moment = isDay ? text : read.data
  return { isDay, text: moment < EARLIEST ? EARLIEST : moment > LATEST ? LATEST : moment }
}

export function isFiltered({ filters }: ReportRange): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}

/** SQL condition that restricts conversations `c` to the report's filters, without test conversations; the account is checked elsewhere. */
export function andMatches({ account_id, filters }: ReportRange) {
  const { inbox_id, source, assignee_id, team_id, tag_id } = filters
  const conditions = [
    sql`and c.source <> 'sandbox'`,
    ...(inbox_id ? [sql`and c.inbox_id = ${inbox_id}`] : []),
    ...(source ? [sql`and c.source = ${source}`] : []),
    ...(assignee_id === 'nobody' ? [sql`and c.assignee_id is null`] : []),
    ...(typeof assignee_id === 'number' ? [sql`and c.assignee_id = ${assignee_id}`] : []),
    ...(team_id ? [sql`and c.team_id = ${team_id}`] : []),
    ...(tag_id
      ? [
          sql`and c.id in (select conversation_id from conversation_tags where account_id = ${account_id} and tag_id = ${tag_id})`,
        ]
      : []),
  ]
  return sql.join(conditions, sql` `)
}
