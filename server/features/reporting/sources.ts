import { sql } from 'kysely'
import type { Db } from '../../platform/db/change.ts'
import type { Frame } from './frame.ts'

/**
 * What a report is read from:
 * - `conversations`: conversations and message_counts, as they are at this moment, and exactly. All that is asked of few, and of
 *   accounts that have not been counted.
 * - `figures`: what each conversation contributed. Takes longer with every conversation, but converts no time zones.
 * - `totals`: the sums under one filter. Takes as long for many conversations as for more.
 * The last two are what the account was a few moments ago.
 */
export type Source = { of: 'conversations' } | { of: 'figures' } | { of: 'totals'; filter: string }

/** Up to how many there are "few". */
export interface Few {
  conversations: number
  messages: number
}

export const FEW: Few = { conversations: 10_000, messages: 50_000 }

/** Decides what a report is read from, by how many conversations and messages it is about. */
export async function chooseSource(db: Db, frame: Frame, few: Few = FEW): Promise<Source> {
  if (!frame.has_totals) return { of: 'conversations' }
  const { account_id, first_day, last_day } = frame
  const filters = listFilters(frame)
  // Of several at once there are no sums; each of them has as many at least.
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

/** The filters of a report as they stand in `filters`; none for a report about everything. */
export function listFilters({ filters }: Frame): string[] {
  return Object.entries(filters).flatMap(([name, wanted]) => (wanted === undefined ? [] : [`${name}:${wanted}`]))
}

/** Narrows `conversation_figures`, beside their account, to those that the report is about. */
export function andContributed(frame: Frame) {
  const filters = listFilters(frame)
  return filters.length > 0 ? sql`and filters @> ${filters}::text[]` : sql``
}
