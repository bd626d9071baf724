import { sql } from 'kysely'
import { type ViewConditions, type ViewStatus, viewField } from '#contract/conversations/view-conditions.ts'
import { VIEW_COUNT_LIMIT, type ViewFilter } from '#contract/conversations/views.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { readTogether } from '../../../platform/db/transact.ts'
import { type MatchingConversations, type Page, readPage } from '../conversations/listing.ts'
import { readDuePage } from '../conversations/listing-due.ts'
import { compileConditions, type Scope } from './conditions.ts'

/** One page of the conversations that a view shows, in its order. */
export function listViewed(db: Db, scope: Scope, { conditions, sort }: ViewFilter, page: Page) {
  const { account_id } = scope
  return readTogether(db, async (together) => {
    const parts = selectParts(together, scope, { conditions, sort })
    if (sort === 'activity') return { ...(await readPage(together, account_id, parts, page)), total: null }
    const [due] = parts
    return due ? readDuePage(together, account_id, due, page) : emptyPage(page)
  })
}

function emptyPage({ limit = 50 }: Page) {
  return { data: [], next: null, previous: null, limit, total: null }
}

/** How many conversations each of these views shows, up to a hundred: one query for all of them. */
export async function countViewed<Filter extends ViewFilter>(
  db: Db,
  scope: Scope,
  filters: Filter[],
): Promise<(Filter & { count: number })[]> {
  if (filters.length === 0) return []
  const limit = sql.lit(VIEW_COUNT_LIMIT)
  const counts = filters.map((filter) => {
    const parts = selectParts(db, scope, filter).map((part) => sql`(${part.select('id').limit(limit)})`)
    if (parts.length === 0) return sql`0`
    return sql`(select count(*)::int from (select from (${sql.join(parts, sql` union all `)}) part limit ${limit}) matching)`
  })
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(db)
  return filters.map((filter, at) => ({ ...filter, count: rows[0]!.counts[at]! }))
}

/** Open, snoozed and closed conversations have indexes of their own: a view reads those that it can show. */
function selectParts(db: Db, scope: Scope, { conditions, sort }: ViewFilter): MatchingConversations[] {
  const statuses = statusesOf(conditions).filter((status) => sort !== 'due' || status === 'open')
  const compiled = compileConditions(
    conditions.filter((list) => !isOfStatus(list)),
    scope,
  )
  return statuses.map((status) => {
    // Parts of the text, so that a prepared statement can use the indexes of each part.
    let query = ofAccount(db, scope.account_id)
      .selectFrom('conversations')
      .where('archived_at', 'is', null)
      .where('status', '=', sql.lit(status === 'closed' ? ('closed' as const) : ('open' as const)))
      .where('snoozed_at', status === 'snoozed' ? 'is not' : 'is', null)
    if (sort === 'due') query = query.where('due_at', 'is not', null)
    return compiled.reduce((narrowed, condition) => narrowed.where(condition), query)
  })
}

/** The statuses that conversations of a view may have. */
function statusesOf(conditions: ViewConditions): ViewStatus[] {
  const lists = conditions.filter(isOfStatus)
  return (viewField('status').choices as readonly ViewStatus[]).filter((status) =>
    lists.every((list) => list.some(({ operator, values }) => values.includes(status) === (operator === 'is'))),
  )
}

function isOfStatus(list: ViewConditions[number]): boolean {
  return list.every(({ field }) => field === 'status')
}
