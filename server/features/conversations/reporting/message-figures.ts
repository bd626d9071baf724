import { type RawBuilder, sql } from 'kysely'
import type { Report } from '#contract/conversations/reporting.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { andMatches, isFiltered, type ReportRange } from './frame.ts'
import { andContributed, type Source } from './sources.ts'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
/** Stands for a user's id in `message_counts`. */
const BY_CUSTOMER = 0
const BY_NOBODY = -1

interface ByDay {
  day: string
  author: number
  count: number
}

interface ByHour {
  weekday: number
  hour: number
  count: number
}

type MessageFigures = Pick<
  Report,
  | 'messages_by_date'
  | 'sent_messages_by_date'
  | 'received_messages_by_date'
  | 'messages_per_user'
  | 'messages_by_weekday'
  | 'messages_by_hour'
>

type FigureRow = (ByDay & { weekday: null }) | (ByHour & { day: null })

/** All figures about messages: computed from counts, except for the first and the last hour. */
export async function readMessageFigures(db: Db, frame: ReportRange, source: Source): Promise<MessageFigures> {
  const rows = source.of === 'totals' ? await readTotals(db, frame, source.filter) : await readCounts(db, frame)
  const byDay = rows.filter((row): row is ByDay & { weekday: null } => row.day !== null)
  const byHour = rows.filter((row): row is ByHour & { day: null } => row.day === null)
  return {
    messages_by_date: sumByDate(byDay),
    sent_messages_by_date: sumByDate(byDay.filter(({ author }) => author > 0)),
    received_messages_by_date: sumByDate(byDay.filter(({ author }) => author === BY_CUSTOMER)),
    messages_per_user: await countPerUser(db, frame, byDay),
    messages_by_weekday: WEEKDAYS.map((day, weekday) => describeWeekday(day, weekday, byDay)),
    messages_by_hour: byHour.map(({ weekday, hour, count }) => ({ weekday, hour, count })),
  }
}

/** From the counts of each conversation. */
async function readCounts(db: Db, frame: ReportRange): Promise<FigureRow[]> {
  const which = ofConversations(frame)
  const { rows } = await sql<FigureRow>`
    with counted as (${countWholeHours(frame, which)} union all ${countEdges(frame, which)})
    select to_char(day, 'YYYY-MM-DD') as day, case when grouping(day) = 0 then author end as author,
           weekday, case when grouping(day) = 1 then hour end as hour, sum(messages)::int as count
    from counted, lateral (select extract(isodow from day)::int - 1 as weekday) week
    where true
    group by grouping sets ((day, author), (weekday, hour, author))
    having grouping(day) = 0 or author = ${BY_CUSTOMER}
    order by 1, 3, 4, 2`.execute(db)
  return rows
}

/** From the sums of whole days; for partial days from the counts of each conversation. */
async function readTotals(db: Db, frame: ReportRange, filter: string): Promise<FigureRow[]> {
  const { account_id, first_whole_day, last_whole_day } = frame
  const whole = sql`account_id = ${account_id} and filter = ${filter} and day between ${first_whole_day}::date and ${last_whole_day}::date and messages > 0`
  const which = ofContributors(frame)
  const cut = sql`day not between ${first_whole_day}::date and ${last_whole_day}::date`
  const parts = hasCutDays(frame)
    ? sql`select * from (${countWholeHours(frame, which)} union all ${countEdges(frame, which)}) parts where ${cut}`
    : sql`select null::date as day, null::smallint as hour, null::integer as author, null::integer as messages where false`
  const { rows } = await sql<FigureRow>`
    with parts as materialized (${parts}), authors as (
      select day, author, messages from author_totals where ${whole} union all select day, author, messages from parts
    ), hours as (
      select day, hour, messages from hour_totals where ${whole} union all select day, hour, messages from parts where author = ${BY_CUSTOMER}
    )
    select to_char(day, 'YYYY-MM-DD') as day, author, null::int as weekday, null::int as hour, sum(messages)::int as count
    from authors group by authors.day, author
    union all
    select null, null, extract(isodow from day)::int - 1, hour, sum(messages)::int from hours group by 3, 4
    order by 1, 3, 4, 2`.execute(db)
  return rows
}

function hasCutDays({ first_day, last_day, first_whole_day, last_whole_day }: ReportRange): boolean {
  return first_day < first_whole_day || last_day > last_whole_day
}

/** The report's conversations, as a condition on their id; undefined if all are included. */
function ofConversations(frame: ReportRange): Which {
  return (column) =>
    isFiltered(frame)
      ? sql`and ${column} in (select c.id from conversations c where c.account_id = ${frame.account_id} ${andMatches(frame)})`
      : sql``
}

/** The same, by their properties when they were counted. */
function ofContributors(frame: ReportRange): Which {
  return (column) =>
    isFiltered(frame)
      ? sql`and exists (select from conversation_figures f where f.account_id = ${frame.account_id} and f.conversation_id = ${column} ${andContributed(frame)})`
      : sql``
}

type Which = (column: RawBuilder<unknown>) => RawBuilder<unknown>

function countWholeHours(frame: ReportRange, which: Which) {
  const { account_id, first, last } = frame
  return sql`
    select m.day, m.hour, m.author, m.messages from message_counts m
    where m.account_id = ${account_id} ${which(sql.ref('m.conversation_id'))}
      and (m.day, m.hour) > (${first.day}::date, ${first.hour}::smallint)
      and (m.day, m.hour) < (${last.day}::date, ${last.hour}::smallint)`
}

/** Both limits are within an hour, of which only a part counts. */
function countEdges(frame: ReportRange, which: Which) {
  const { account_id, from, to, first, last, time_zone } = frame
  const edges = sql`((${first.day}::date, ${first.hour}::smallint), (${last.day}::date, ${last.hour}::smallint))`
  return sql`
    select local::date, extract(hour from local)::smallint, coalesce(m.user_id, case when m.customer_id is null then ${BY_NOBODY}::int else ${BY_CUSTOMER}::int end), 1
    from messages m, lateral (select m.created_at at time zone ${time_zone} as local) clock
    where m.account_id = ${account_id} and m.created_at > ${from} and m.created_at < ${to}
      and (local::date, extract(hour from local)::smallint) in ${edges}
      and m.conversation_id in (
        select e.conversation_id from message_counts e
        where e.account_id = ${account_id} and (e.day, e.hour) in ${edges} ${which(sql.ref('e.conversation_id'))})`
}

function sumByDate(rows: ByDay[]) {
  const sums = new Map<string, number>()
  for (const { day, count } of rows) sums.set(day, (sums.get(day) ?? 0) + count)
  return [...sums].map(([date, count]) => ({ date, count }))
}

async function countPerUser(db: Db, { account_id }: ReportRange, rows: ByDay[]) {
  const counts = new Map<number, number>()
  for (const { author, count } of rows) if (author > 0) counts.set(author, (counts.get(author) ?? 0) + count)
  if (counts.size === 0) return []
  const users = await ofAccount(db, account_id)
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', 'in', [...counts.keys()])
    .execute()
  return users
    .map((user) => ({ user, count: counts.get(user.id) ?? 0 }))
    .sort((one, other) => other.count - one.count || one.user.id - other.user.id)
}

function describeWeekday(day: string, weekday: number, rows: ByDay[]) {
  const received = rows.filter(({ day: date, author }) => author === BY_CUSTOMER && weekdayOf(date) === weekday)
  const total = received.reduce((sum, { count }) => sum + count, 0)
  return { day, average: total / Math.max(1, received.length), total }
}

function weekdayOf(date: string): number {
  return (new Date(date).getUTCDay() + 6) % 7
}
