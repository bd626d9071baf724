import { type RawBuilder, sql } from 'kysely'
import type { Report } from '#contract/conversations/reporting.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { andMatches, isFiltered, type ReportRange } from './frame.ts'

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
export async function readMessageFigures(db: Db, frame: ReportRange): Promise<MessageFigures> {
  const rows = await readCounts(db, frame)
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

async function readCounts(db: Db, frame: ReportRange): Promise<FigureRow[]> {
  const { rows } = await sql<FigureRow>`
    with counted as materialized (
      select day, hour, author, sum(messages) as messages
      from (${countWholeHours(frame)} union all ${countEdges(frame)}) conversations group by 1, 2, 3
    )
    select to_char(day, 'YYYY-MM-DD') as day, case when grouping(day) = 0 then author end as author,
           weekday, case when grouping(day) = 1 then hour end as hour, sum(messages)::int as count
    from counted, lateral (select extract(isodow from day)::int - 1 as weekday) week
    where true
    group by grouping sets ((day, author), (weekday, hour, author))
    having grouping(day) = 0 or author = ${BY_CUSTOMER}
    order by 1, 3, 4, 2`.execute(db)
  return rows
}

/** The report's conversations, as a condition on the column with their id; none if all are included. */
function andOfConversations(frame: ReportRange, column: string): RawBuilder<unknown> {
  return isFiltered(frame)
    ? sql`and ${sql.ref(column)} in (select c.id from conversations c where c.account_id = ${frame.account_id} ${andMatches(frame)})`
    : sql``
}

function countWholeHours(frame: ReportRange) {
  const { account_id, first, last } = frame
  return sql`
    select m.day, m.hour, m.author, m.messages from message_counts m
    where m.account_id = ${account_id} ${andOfConversations(frame, 'm.conversation_id')}
      and (m.day, m.hour) > (${first.day}::date, ${first.hour}::smallint)
      and (m.day, m.hour) < (${last.day}::date, ${last.hour}::smallint)`
}

/** Both limits are within an hour, of which only a part counts. */
function countEdges(frame: ReportRange) {
  const { account_id, from, to, first, last, time_zone } = frame
  const edges = sql`((${first.day}::date, ${first.hour}::smallint), (${last.day}::date, ${last.hour}::smallint))`
  return sql`
    select local::date, extract(hour from local)::smallint, coalesce(m.user_id, case when m.customer_id is null then ${BY_NOBODY}::int else ${BY_CUSTOMER}::int end), 1
    from messages m, lateral (select m.created_at at time zone ${time_zone} as local) clock
    where m.account_id = ${account_id} and m.created_at > ${from} and m.created_at < ${to}
      and (local::date, extract(hour from local)::smallint) in ${edges}
      and m.conversation_id in (
        select e.conversation_id from message_counts e
        where e.account_id = ${account_id} and (e.day, e.hour) in ${edges} ${andOfConversations(frame, 'e.conversation_id')})`
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
    .sort((a, b) => b.count - a.count || a.user.id - b.user.id)
}

function describeWeekday(day: string, weekday: number, rows: ByDay[]) {
  const received = rows.filter(({ day: date, author }) => author === BY_CUSTOMER && weekdayOf(date) === weekday)
  const total = received.reduce((sum, { count }) => sum + count, 0)
  return { day, average: total / Math.max(1, received.length), total }
}

function weekdayOf(date: string): number {
  return (new Date(date).getUTCDay() + 6) % 7
}
