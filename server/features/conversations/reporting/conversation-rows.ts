import { type RawBuilder, sql } from 'kysely'
import type { WorkingHours } from '#contract/widget/working-hours.ts'
import type { Db } from '../../../platform/db/change.ts'
import { andMatches, type ReportRange } from './frame.ts'
import { measureConversations } from './measuring.ts'
import { andContributed } from './sources.ts'
import { clockOf } from './working-time.ts'

/** Durations by day, by week (named by its Sunday), or overall. */
export interface Times {
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

/** Measures each conversation of the frame now. */
export function measureEach(frame: ReportRange, hours: WorkingHours[] | undefined): RawBuilder<unknown> {
  const { account_id, from, to, time_zone } = frame
  return measureConversations(
    clockOf(time_zone, hours),
    sql`c.account_id = ${account_id} and c.created_at > ${from} and c.created_at < ${to} ${andMatches(frame)}`,
  )
}

/** The durations stored for each conversation of the frame when it was counted. */
export function recallMeasured(frame: ReportRange, isWorked: boolean): RawBuilder<unknown> {
  const { account_id, from, to } = frame
  const [reply, resolution] = isWorked ? ['worked_reply', 'worked_resolution'] : ['reply', 'resolution']
  return sql`
    select day, ${sql.ref(reply!)} / 1000.0::float8 as reply, ${sql.ref(resolution!)} / 1000.0::float8 as resolution
    from conversation_figures where account_id = ${account_id} and created_at > ${from} and created_at < ${to} ${andContributed(frame)}`
}

/**
 * Computes exact figures from the durations of each conversation.
 * @param lists whether single durations by week are included
 */
export async function readTimesOfRows(db: Db, measured: RawBuilder<unknown>, lists: boolean): Promise<Times[]> {
  const list = (column: string) =>
    lists
      ? sql`array_agg(${sql.ref(column)} order by ${sql.ref(column)}) filter (where ${sql.ref(column)} is not null)`
      : sql`null::float8[]`
  const { rows } = await sql<Times>`
    with began as materialized (${measured})
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
  return rows
}
