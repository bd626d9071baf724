import { sql } from 'kysely'
import { addDays } from '#contract/days.ts'
import type { Report } from '#contract/reporting.ts'
import type { WorkingHours } from '#contract/working-hours.ts'
import type { Db } from '../../platform/db/change.ts'
import { andMatches, type Frame } from './frame.ts'
import { clockOf } from './working-time.ts'

interface Times {
  count: number
  reply_average: number | null
  reply_median: number | null
  resolution_average: number | null
  resolution_median: number | null
  replies: number[] | null
  resolutions: number[] | null
}

type ConversationFigures = Pick<
  Report,
  | 'conversations_by_date'
  | 'average_time_to_first_reply'
  | 'median_time_to_first_reply'
  | 'average_time_to_resolution'
  | 'median_time_to_resolution'
  | 'first_reply_metrics_by_week'
  | 'resolution_metrics_by_week'
>

interface Options {
  /** Counts only seconds within these. */
  working_hours: WorkingHours[] | undefined
  /** Single durations by week, too. */
  lists: boolean
}

/** Everything about conversations that began in the frame; times to resolution of those that are closed now. */
export async function readConversationFigures(db: Db, frame: Frame, options: Options): Promise<ConversationFigures> {
  const { account_id, from, to, time_zone } = frame
  const clock = clockOf(time_zone, options.working_hours)
  const list = (column: string) =>
    options.lists
      ? sql`array_agg(${sql.ref(column)} order by ${sql.ref(column)}) filter (where ${sql.ref(column)} is not null)`
      : sql`null::float8[]`
  const { rows } = await sql<Times & { day: string | null; week: string | null }>`
    with moments as materialized (
      select c.created_at, ${clock.read('c.created_at')} as created, ${clock.read('c.first_replied_at')} as replied,
             case when c.status = 'closed' then ${clock.read('c.closed_at')} end as closed
      from conversations c
      where c.account_id = ${account_id} and c.created_at > ${from} and c.created_at < ${to}
        ${andMatches(frame)}
    ), places as materialized (
      select ${clock.day('created_at', 'created')} as day, ${clock.place('created')}, ${clock.place('replied')}, ${clock.place('closed')} from moments
    ), began as materialized (
      select day, ${clock.between('created', 'replied')} as reply, ${clock.between('created', 'closed')} as resolution from places
    )
    select to_char(day, 'YYYY-MM-DD') as day, null as week, count(*)::int as count, null as reply_average, null as reply_median,
           null as resolution_average, null as resolution_median, null as replies, null as resolutions
    from began group by day
    union all
    select null, to_char(week, 'YYYY-MM-DD'), count(*)::int,
           avg(reply), percentile_cont(0.5) within group (order by reply),
           avg(resolution), percentile_cont(0.5) within group (order by resolution),
           ${list('reply')}, ${list('resolution')}
    from began, lateral (select day - extract(dow from day)::int as week) sunday
    group by grouping sets ((week), ())
    order by 1, 2`.execute(db)
  const total = rows.find(({ day, week }) => day === null && week === null)
  const weeks = weeksOf(frame).map((start_date) => ({
    start_date,
    end_date: addDays(start_date, 6),
    times: rows.find(({ week }) => week === start_date),
  }))
  return {
    conversations_by_date: rows.flatMap(({ day, count }) => (day === null ? [] : [{ date: day, count }])),
    average_time_to_first_reply: total?.reply_average ?? 0,
    median_time_to_first_reply: total?.reply_median ?? 0,
    average_time_to_resolution: total?.resolution_average ?? 0,
    median_time_to_resolution: total?.resolution_median ?? 0,
    first_reply_metrics_by_week: weeks.map(({ times, ...week }) => ({
      ...week,
      average: times?.reply_average ?? 0,
      median: times?.reply_median ?? 0,
      seconds_to_first_reply_list: times?.replies ?? [],
    })),
    resolution_metrics_by_week: weeks.map(({ times, ...week }) => ({
      ...week,
      average: times?.resolution_average ?? 0,
      median: times?.resolution_median ?? 0,
      seconds_to_resolution_list: times?.resolutions ?? [],
    })),
  }
}

/** The Sundays on which the weeks of the frame begin, the newest first. */
function weeksOf({ first_day, last_day }: Frame): string[] {
  const weeks: string[] = []
  const earliest = sundayBefore(first_day)
  for (let week = sundayBefore(last_day); week >= earliest; week = addDays(week, -7)) weeks.push(week)
  return weeks
}

function sundayBefore(day: string): string {
  return addDays(day, -new Date(day).getUTCDay())
}
