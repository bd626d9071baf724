import { sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import type { ReportRange } from './frame.ts'

/**
 * The source of a report:
 * - `conversations`: conversations and message_counts, current and exact. For small reports, and for accounts that were
 *   not counted.
 * - `figures`: the contribution of each conversation. Takes longer with more conversations, but converts no time zones.
 * - `totals`: the sums of one filter. Takes constant time.
 * The last two may be a few moments old.
 */
export type Source = { of: 'conversations' } | { of: 'figures' } | { of: 'totals'; filter: string }

/** The limits of a small report. */
export interface Few {
  conversations: number
  messages: number
}

export const FEW: Few = { conversations: 10_000, messages: 50_000 }

/** Chooses a report's source by its numbers of conversations and messages. */
export async function chooseSource(db: Db, frame: ReportRange, few: Few = FEW): Promise<Source> {
  if (!frame.has_totals) return { of: 'conversations' }
  const { account_id, first_day, last_day } = frame
  const filters = listFilters(frame)
  // There are no sums for several filters together; each of them matches at least as many.
  const [filter = ''] = filters
  const { rows } = await sql<Few>`
    select (select coalesce(sum(conversations), 0)::float8 from conversation_totals
            where account_id = ${account_id} and filter = ${filter} and day between ${first_day} and ${last_day}) as conversations,
           (select coalesce(sum(messages), 0)::float8 from author_totals
            where account_id = ${account_id} and filter = ${filter} and day between ${first_day} and ${last_day}) as messages`.execute(
    db,
  )
  const { conversations, messages } = rows[0]!
  if (conversations <= few.conversations && messages <= few.messages) return { of: 'conversations' }
  return filters.length > 1 ? { of: 'figures' } : { of: 'totals', filter }
}

/** The report's filters in the form of column `filters`; none for a report about everything. */
export function listFilters({ filters }: ReportRange): string[] {
  return Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`]))
}

/** SQL condition that restricts `conversation_figures` to the report's filters; the account is checked elsewhere. */
export function andContributed(frame: ReportRange) {
  const filters = listFilters(frame)
  return filters.length > 0 ? sql`and filters @> ${filters}::text[]` : sql``
}
