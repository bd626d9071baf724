import { sql } from 'kysely'
import { addDays, sundayBefore } from '#contract/days.ts'
import type { Db } from '../../../platform/db/change.ts'
import type { Times } from './conversation-rows.ts'
import { secondsOf, stepOf } from './durations.ts'
import type { ReportRange } from './frame.ts'
import { andContributed } from './sources.ts'

interface RequestedTimes {
  filter: string
  /** Whether only time within working hours counts. */
  isWorked: boolean
}

/**
 * Computes durations from the sums of whole weeks, and from single conversations in incomplete weeks at the ends of the
 * frame. Means are exact; medians are accurate to 1 %, because only the step of each duration is stored.
 */
export async function readTimesOfTotals(db: Db, frame: ReportRange, requested: RequestedTimes): Promise<Times[]> {
  const sums = await readSums(db, frame, requested)
  const medians = await readMedians(db, frame, requested)
  const medianOf = (is_reply: boolean, week: string | null) =>
    medians.find((median) => median.is_reply === is_reply && median.week === week)?.seconds ?? null
  return sums.map((sum) => {
    if (sum.day !== null) return { ...sum, reply_median: null, resolution_median: null, ...NO_LISTS }
    const [reply_median, resolution_median] = [medianOf(true, sum.week), medianOf(false, sum.week)]
    return { ...sum, reply_median, resolution_median, ...NO_LISTS }
  })
}

const NO_LISTS = { replies: null, resolutions: null }

type Sums = Pick<Times, 'day' | 'week' | 'count' | 'reply_average' | 'resolution_average'>

async function readSums(db: Db, frame: ReportRange, { filter, isWorked }: RequestedTimes): Promise<Sums[]> {
  const { account_id } = frame
  const { first, until } = wholeWeeks(frame)
  const { reply, resolution } = columnsOf(isWorked)
  const { rows } = await sql<Sums>`
    with sums as materialized (
      select day, conversations, replies, ${reply} as reply, resolutions, ${resolution} as resolution from conversation_totals
      where account_id = ${account_id} and filter = ${filter} and day >= ${first}::date and day < ${until}::date and conversations > 0
      union all
      select day, count(*), count(reply), sum(reply), count(resolution), sum(resolution)
      from (${selectCutWeeks(frame, isWorked)}) cut group by day
    )
    select to_char(day, 'YYYY-MM-DD') as day, null as week, conversations::int as count, null as reply_average, null as resolution_average from sums
    union all
    select null, to_char(week, 'YYYY-MM-DD'), sum(conversations)::int,
           (sum(reply) / nullif(sum(replies), 0) / 1000)::float8, (sum(resolution) / nullif(sum(resolutions), 0) / 1000)::float8
    from sums, lateral (select day - extract(dow from day)::int as week) sunday
    group by grouping sets ((week), ())
    order by 1, 2`.execute(db)
  return rows
}

interface Median {
  /** Whether for times to the first reply; otherwise to the resolution. */
  is_reply: boolean
  /** `null` means overall. */
  week: string | null
  seconds: number
}

/** The mean of the two middle values, which are the same if their number is odd. */
async function readMedians(db: Db, frame: ReportRange, { filter, isWorked }: RequestedTimes): Promise<Median[]> {
  const { account_id } = frame
  const { first, until } = wholeWeeks(frame)
  const [reply, resolution] = isWorked ? ['worked_reply', 'worked_resolution'] : ['reply', 'resolution']
  // Sorted by numbers only: there may be hundreds of steps a week, and comparing texts takes several times as long.
  const { rows } = await sql<Median>`
    with of_weeks as materialized (
      select measure = ${reply} as is_reply, week, step, n
      from duration_totals t, unnest(t.steps, t.conversations) steps (step, n)
      where account_id = ${account_id} and filter = ${filter} and week >= ${first}::date and week < ${until}::date
        and measure in (${reply}, ${resolution})
      union all
      select is_reply, day - extract(dow from day)::int, ${stepOf(sql`milliseconds`)}, count(*)::int
      from (${selectCutWeeks(frame, isWorked)}) cut, lateral (values (true, reply), (false, resolution)) measured (is_reply, milliseconds)
      where milliseconds is not null group by 1, 2, 3
    ), steps as (
      select * from of_weeks union all select is_reply, null, step, sum(n)::int from of_weeks group by is_reply, step
    ), places as (
      select is_reply, week, step, n, sum(n) over (partition by is_reply, week order by step rows unbounded preceding) as last,
             sum(n) over (partition by is_reply, week) as all
      from steps
    )
    select is_reply, to_char(week, 'YYYY-MM-DD') as week,
           (sum(${secondsOf(sql`step`)} * (((places.all + 1) / 2 between last - n + 1 and last)::int + (places.all / 2 + 1 between last - n + 1 and last)::int)) / 2)::float8 as seconds
    from places
    where last >= (places.all + 1) / 2 and last - n < places.all / 2 + 1
    group by is_reply, week`.execute(db)
  return rows
}

/** From the first Sunday whose week lies wholly in the frame to the one after the last such week. */
function wholeWeeks({ first_whole_day, last_whole_day }: ReportRange): { first: string; until: string } {
  const first = sundayBefore(addDays(first_whole_day, 6))
  const until = sundayBefore(addDays(last_whole_day, 1))
  return first < until ? { first, until } : { first: first_whole_day, until: first_whole_day }
}

/** Conversations started in a week that is only partly in the frame. */
function selectCutWeeks(frame: ReportRange, isWorked: boolean) {
  const { account_id, from, to, first_day, last_day } = frame
  const { first, until } = wholeWeeks(frame)
  const { reply, resolution } = columnsOf(isWorked)
  return sql`
    select day, ${reply} as reply, ${resolution} as resolution from conversation_figures
    where account_id = ${account_id} and created_at > ${from} and created_at < ${to} ${andContributed(frame)}
      and (day >= ${first_day}::date and day < ${first}::date or day >= ${until}::date and day <= ${last_day}::date)`
}

function columnsOf(isWorked: boolean) {
  return isWorked
    ? { reply: sql.ref('worked_reply'), resolution: sql.ref('worked_resolution') }
    : { reply: sql.ref('reply'), resolution: sql.ref('resolution') }
}
