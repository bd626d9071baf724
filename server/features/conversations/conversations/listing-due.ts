import { type SqlBool, sql } from 'kysely'
import type { ConversationFilters } from '#contract/conversations/conversations.ts'
import { readCursor, writeCursor } from '../../../platform/cursor.ts'
import type { Db } from '../../../platform/db/change.ts'
import { columns, expandConversations, type StoredConversation } from './conversations.ts'
import { limitOf, type MatchingConversations, matching, type Page } from './listing.ts'

/**
 * One page of the open conversations with a running deadline, the most urgent first; `me` in the filters is the calling
 * user.
 */
export function listDueConversations(db: Db, account_id: string, me: number, filters: ConversationFilters, page: Page) {
  const due = matching(db, account_id, me, { ...filters, status: 'open', snoozed: false, is_due: true })
  return readDuePage(db, account_id, due, page)
}

/** One page of open conversations with a running deadline, the most urgent first. */
export async function readDuePage(db: Db, account_id: string, due: MatchingConversations, page: Page) {
  const limit = limitOf(page)
  let query = due
    .select(columns)
    .orderBy('due_at')
    .orderBy('id')
    .limit(sql.lit(limit + 1))
  if (page.after) {
    const { at, id } = readCursor(page.after)
    query = query.where(sql<SqlBool>`(due_at, id) > (${at}::timestamptz, ${id}::uuid)`)
  }
  const rows = await query.$castTo<StoredConversation>().execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    data: await expandConversations(db, account_id, shown, page.messages),
    next: rows.length > limit && last?.due_at ? writeCursor({ at: last.due_at, id: last.id }) : null,
    previous: null,
    limit,
    total: null,
  }
}
