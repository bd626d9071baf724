import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import type { Schedules } from '../../widget/working-hours/schedules.ts'
import type { Schedule } from '../../widget/working-hours/working-spans.ts'
import { andMatches, type ReportRange } from './frame.ts'
import { measureConversations } from './measuring.ts'
import { allSeconds, workedSeconds } from './working-time.ts'

/** Durations by day, by week (named by its Sunday), or overall. */
interface Times {
  day: string | null
  week: string | null
  count: number
  reply_average: number | null
  reply_median: number | null
  resolution_average: number | null
  resolution_median: number | null
  replies: number[] | null
  resolutions: number[] | null
}

/**
 * Computes figures from the durations of each conversation of the frame.
 * @param schedules if given, only time within working hours counts
 * @param lists whether single durations by week are included
 */
export async function readTimes(
  db: Db,
  frame: ReportRange,
  schedules: Schedules | undefined,
  lists: boolean,
): Promise<Times[]> {
  const measured = measureFrame(frame, schedules)
  const list = (column: string) =>
    lists
      ? sql`array_agg(${sql.ref(column)} order by ${sql.ref(column)}) filter (where ${sql.ref(column)} is not null)`
      : sql`null::float8[]`
  const { rows } = await sql<Times>`
    with began as materialized (select day - date_part('dow', day)::int as week, measured.* from (${measured}) measured)
    select to_char(day, 'YYYY-MM-DD') as day, null as week, count(*)::int as count, null as reply_average, null as reply_median,
           null as resolution_average, null as resolution_median, null as replies, null as resolutions
    from began group by day
    union all
    select null, to_char(week, 'YYYY-MM-DD'), count(*)::int,
           avg(reply), percentile_cont(0.5) within group (order by reply),
           avg(resolution), percentile_cont(0.5) within group (order by resolution),
           ${list('reply')}, ${list('resolution')}
    from began group by grouping sets ((week), ())
    order by 1, 2`.execute(db)
  return rows
}

/** The durations of the frame's conversations. Those of inboxes with hours of their own are counted by these. */
function measureFrame(frame: ReportRange, schedules: Schedules | undefined): RawBuilder<unknown> {
  const { account_id, from, to, time_zone } = frame
  const inFrame = sql`c.account_id = ${account_id} and c.created_at > ${from} and c.created_at < ${to} ${andMatches(frame)}`
  if (!schedules) return measureConversations(allSeconds(time_zone), inFrame)
  const clockOf = (schedule: Schedule) => workedSeconds(schedule, time_zone, Date.parse(from), Date.now())
  const own = [...schedules.inboxes.keys()]
  const parts = [
    measureConversations(
      clockOf(schedules.account),
      own.length > 0 ? sql`${inFrame} and c.inbox_id <> all(${own}::uuid[])` : inFrame,
    ),
    ...[...schedules.inboxes].map(([inbox_id, schedule]) =>
      measureConversations(clockOf(schedule), sql`${inFrame} and c.inbox_id = ${inbox_id}`),
    ),
  ]
  return sql.join(parts, sql` union all `)
}
