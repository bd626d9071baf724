import { type ExpressionWrapper, type SqlBool, sql } from 'kysely'
import type { ConversationFilters } from '#contract/conversations/conversations.ts'
import { PAGE_SIZE } from '#contract/conversations/messages.ts'
import { readCursor, writeCursor } from '../../../platform/cursor.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import type { Database } from '../../../platform/db/schema.ts'
import { readTogether } from '../../../platform/db/transact.ts'
import type { MessageSelection } from '../messages/latest-messages.ts'
import { escapeLike } from '../messages/messages.ts'
import { columns, expandConversations, type StoredConversation } from './conversations.ts'

/** Counting stops here: nobody reads a larger number, and the cost of a page must not grow with the account. */
const COUNT_LIMIT = 10_000

export interface Page {
  after?: string
  limit?: number
  messages: MessageSelection
}

/** One page of conversations, latest activity first; `me` in the filters is the calling user. */
export function listConversations(db: Db, account_id: string, me: number, filters: ConversationFilters, page: Page) {
  return readTogether(db, async (together) => {
    const parts = partsOf(filters).map((part) => matching(together, account_id, me, part))
    const isCounted = page.messages !== 'preview'
    const [shown, total] = await Promise.all([
      readPage(together, account_id, parts, page),
      isCounted ? countConversations(together, account_id, me, filters) : null,
    ])
    return { ...shown, total }
  })
}

/** Conversations of an account that match something, without an order. */
export type MatchingConversations = ReturnType<typeof matching>

/** One page of the conversations of all parts, latest activity first. No conversation may be in two of them. */
export async function readPage(db: Db, account_id: string, queries: MatchingConversations[], page: Page) {
  const limit = limitOf(page)
  const readRows = (matching: MatchingConversations) => {
    const query = matching
      .select(columns)
      .orderBy('last_activity_at', 'desc')
      .orderBy('id', 'desc')
      .limit(sql.lit(limit + 1))
    if (!page.after) return query.$castTo<StoredConversation>().execute()
    const { at, id } = readCursor(page.after)
    return query
      .where(sql<SqlBool>`(last_activity_at, id) < (${at}::timestamptz, ${id}::uuid)`)
      .$castTo<StoredConversation>()
      .execute()
  }
  const parts = await Promise.all(queries.map(readRows))
  const rows = parts.length > 1 ? parts.flat().sort(byActivity) : parts.flat()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    data: await expandConversations(db, account_id, shown, page.messages),
    next: rows.length > limit && last ? writeCursor({ at: last.last_activity_at, id: last.id }) : null,
    previous: null,
    limit,
  }
}

/** Conversations of a page. */
export function limitOf({ limit = PAGE_SIZE }: Page): number {
  return Math.min(Math.max(limit, 1), PAGE_SIZE)
}

/** How many conversations match, up to 10,000. */
export async function countConversations(
  db: Db,
  account_id: string,
  me: number,
  filters: ConversationFilters,
): Promise<number> {
  const counts = await Promise.all(
    partsOf(filters).map((part) =>
      db
        .selectFrom(matching(db, account_id, me, part).select('id').limit(sql.lit(COUNT_LIMIT)).as('matching'))
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow(),
    ),
  )
  return Math.min(
    counts.reduce((sum, { count }) => sum + count, 0),
    COUNT_LIMIT,
  )
}

/** Open, snoozed and closed conversations have separate indexes, so a filter for several is split. */
function partsOf(filters: ConversationFilters): ConversationFilters[] {
  const statuses = filters.status ? [filters.status] : (['open', 'closed'] as const)
  return statuses.flatMap((status) =>
    (status === 'closed' ? [false] : [false, true])
      .filter((snoozed) => filters.snoozed === undefined || filters.snoozed === snoozed)
      .map((snoozed) => ({ ...filters, status, snoozed })),
  )
}

/** The order of the pages, for merging parts. */
function byActivity(a: StoredConversation, b: StoredConversation): number {
  const difference = Date.parse(b.last_activity_at) - Date.parse(a.last_activity_at)
  return difference || (b.id > a.id ? 1 : -1)
}

/** The conversations that match, without their order. */
export function matching(db: Db, account_id: string, me: number, filters: ConversationFilters) {
  // Test conversations are archived from the beginning, so that they are in no other list.
  let query = ofAccount(db, account_id)
    .selectFrom('conversations')
    .where('archived_at', filters.source === 'sandbox' ? 'is not' : 'is', null)
  // Part of the text, so that a prepared statement can use the indexes of open conversations.
  if (filters.status) query = query.where('status', '=', sql.lit(filters.status))
  if (filters.read !== undefined) query = query.where('read', '=', sql.lit(filters.read))
  if (filters.priority) query = query.where('priority', '=', sql.lit(filters.priority))
  for (const column of ['customer_id', 'inbox_id', 'team_id', 'source'] as const) {
    const value = filters[column]
    if (value !== undefined) query = query.where(column, '=', value as never)
  }
  query = query.where('snoozed_at', filters.snoozed ? 'is not' : 'is', null)
  const assignee = userOf(filters.assignee_id, me)
  if (assignee === null) query = query.where('assignee_id', 'is', null)
  if (typeof assignee === 'number') query = query.where('assignee_id', '=', assignee)
  const mentioned = userOf(filters.mentioning, me)
  if (typeof mentioned === 'number') query = query.where(isMentioned(account_id, mentioned, filters.has_seen_mention))
  if (filters.is_due !== undefined) query = query.where('due_at', filters.is_due ? 'is not' : 'is', null)
  if (filters.due_before) query = query.where('due_at', '<=', filters.due_before)
  if (filters.tag_id) query = query.where(hasTag(account_id, filters.tag_id))
  if (filters.company_id) query = query.where(isOfCompany(account_id, filters.company_id))
  if (filters.q) query = query.where(containsText(account_id, filters.q))
  return query
}

/** A user id, null for nobody, undefined if there is no filter. */
function userOf(choice: ConversationFilters['assignee_id'], me: number): number | null | undefined {
  if (choice === 'me') return me
  return choice === 'nobody' ? null : choice
}

type Condition = ExpressionWrapper<Database, 'conversations', SqlBool> | ReturnType<typeof sql<SqlBool>>

function isMentioned(account_id: string, user_id: number, seen: boolean | undefined): Condition {
  const state = seen === undefined ? sql`` : seen ? sql`and seen_at is not null` : sql`and seen_at is null`
  return sql<SqlBool>`id in (select conversation_id from mentions where account_id = ${account_id} and user_id = ${user_id} ${state})`
}

function hasTag(account_id: string, tag_id: string): Condition {
  return sql<SqlBool>`id in (select conversation_id from conversation_tags where account_id = ${account_id} and tag_id = ${tag_id})`
}

function isOfCompany(account_id: string, company_id: string): Condition {
  return sql<SqlBool>`customer_id in (select id from customers where account_id = ${account_id} and company_id = ${company_id})`
}

function containsText(account_id: string, text: string): Condition {
  const pattern = `%${escapeLike(text)}%`
  return sql<SqlBool>`exists (select from messages where messages.account_id = ${account_id} and conversation_id = conversations.id and body ilike ${pattern})`
}
