import { sql } from 'kysely'
import type { Report } from '#contract/conversations/reporting.ts'
import { modernTimeZone } from '#contract/time-zones.ts'
import type { Db } from '../../../platform/db/change.ts'
import { andMatches, isFiltered, type ReportRange } from './frame.ts'

type Breakdowns = Pick<
  Report,
  'customer_breakdown_by_browser' | 'customer_breakdown_by_os' | 'customer_breakdown_by_time_zone'
>

/**
 * New customers in the frame, by their browser's details; in a filtered report only those with a matching conversation.
 */
export async function readBreakdowns(db: Db, frame: ReportRange): Promise<Breakdowns> {
  const { account_id, from, to } = frame
  const { rows } = await sql<{ kind: number; value: string | null; count: number }>`
    with alike as (
      select u.browser, u.os, u.time_zone, count(*) as customers
      from customers u
      where u.account_id = ${account_id} and u.created_at > ${from} and u.created_at < ${to}
        and u.merged_into is null and u.deleted_at is null and u.origin <> 'test'
        ${
          isFiltered(frame)
            ? sql`and exists (select from conversations c
                  where c.account_id = ${account_id} and c.customer_id = u.id ${andMatches(frame)})`
            : sql``
        }
      group by u.browser, u.os, u.time_zone
    )
    select grouping(browser, os, time_zone) as kind, coalesce(browser, os, time_zone) as value, sum(customers)::int as count
    from alike group by grouping sets ((browser), (os), (time_zone))
    order by count desc, value`.execute(db)
  // Each bit marks a column that the row is not grouped by.
  const of = (kind: number) => rows.filter((row) => row.kind === kind)
  return {
    customer_breakdown_by_browser: of(0b011).map(({ value, count }) => ({ browser: value, count })),
    customer_breakdown_by_os: of(0b101).map(({ value, count }) => ({ os: value, count })),
    customer_breakdown_by_time_zone: joinAliases(of(0b110)),
  }
}

/** Browsers name the same time zone differently. */
function joinAliases(rows: { value: string | null; count: number }[]): Breakdowns['customer_breakdown_by_time_zone'] {
  const counts = new Map<string | null, number>()
  for (const { value, count } of rows) {
    const time_zone = value && modernTimeZone(value)
    counts.set(time_zone, (counts.get(time_zone) ?? 0) + count)
  }
  return [...counts]
    .map(([time_zone, count]) => ({ time_zone, count }))
    .sort((a, b) => b.count - a.count || (a.time_zone ?? '').localeCompare(b.time_zone ?? ''))
}

/** Ratings by the time they were given. */
export async function readRatings(db: Db, frame: ReportRange): Promise<Report['ratings']> {
  const { account_id, from, to } = frame
  const { rows } = await sql<{ score: number; count: number }>`
    select r.score, count(*)::int as count
    from conversation_ratings r join conversations c on c.account_id = r.account_id and c.id = r.conversation_id
    where r.account_id = ${account_id} and r.created_at > ${from} and r.created_at < ${to}
      ${andMatches(frame)}
    group by r.score order by r.score`.execute(db)
  const count = rows.reduce((sum, row) => sum + row.count, 0)
  const points = rows.reduce((sum, row) => sum + row.score * row.count, 0)
  return { count, average: count === 0 ? 0 : points / count, by_score: rows }
}
