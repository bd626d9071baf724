import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { DeletedConversation, deletedConversations } from '#contract/conversations/deleted-conversations.ts'
import { PAGE_SIZE } from '#contract/conversations/messages.ts'
import type { Answer, Query } from '#contract/endpoint.ts'
import { readCursor, writeCursor } from '../../../platform/cursor.ts'
import type { Db } from '../../../platform/db/change.ts'
import { loadUsers } from '../../accounts/users/users.ts'
import {
  expandConversations,
  type StoredConversation,
  selectConversations,
} from '../../conversations/conversations/conversations.ts'
import { keyQuery, matchQuery, prefixTerms } from '../../conversations/search/terms.ts'

type List = typeof deletedConversations.list
type Deleted = StoredConversation & { archived_at: string }

/** One page of deleted conversations, the last deleted first, each with its newest message. */
export async function listDeletedConversations(
  db: Db,
  account_id: string,
  { q, after, limit: wanted = PAGE_SIZE }: Query<List>,
): Promise<Answer<List>> {
  const limit = Math.min(Math.max(wanted, 1), PAGE_SIZE)
  const condition = q?.trim() ? containsWords(account_id, q) : sql<SqlBool>`true`
  if (!condition) return { data: [], next: null }
  let query = selectConversations(db, account_id)
    .where('archived_at', 'is not', null)
    .where('merged_into', 'is', null)
    .where('source', '<>', 'sandbox')
    .where(condition)
    .orderBy('archived_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (after) {
    const { at, id } = readCursor(after)
    query = query.where(sql<SqlBool>`(archived_at, id) < (${at}::timestamptz, ${id}::uuid)`)
  }
  const rows = (await query.execute()) as Deleted[]
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const [expanded, deleters] = await Promise.all([
    expandConversations(db, account_id, page, 'preview'),
    loadDeleters(db, account_id, page),
  ])
  return {
    data: expanded.map((conversation) => ({ ...conversation, deleted_by: deleters.get(conversation.id) ?? null })),
    next: rows.length > limit && last ? writeCursor({ at: last.archived_at, id: last.id }) : null,
  }
}

/** Conversations whose subject or customer contains words that begin so; undefined if the text has no words. */
function containsWords(account_id: string, q: string): RawBuilder<SqlBool> | undefined {
  const terms = prefixTerms(q.split(/\s+/))
  if (terms.length === 0) return undefined
  const matches = sql`search_keys(account_id, null, words, null) @@ ${keyQuery(terms, account_id)}::tsquery
    and words @@ ${matchQuery(terms)}::tsquery`
  return sql<SqlBool>`(
    customer_id in (select id from customers where account_id = ${account_id} and ${matches})
    or id in (select conversation_id from subject_words where account_id = ${account_id} and ${matches}))`
}

/** A deletion is recorded in the transaction that sets `archived_at`; an older entry was undone since. */
const SAME_DELETION_MS = 60_000

/** Who deleted these conversations, or their customers, by conversation. */
async function loadDeleters(
  db: Db,
  account_id: string,
  rows: Deleted[],
): Promise<Map<string, DeletedConversation['deleted_by']>> {
  const ids = rows.flatMap(({ id, customer_id }) => [id, customer_id])
  const { rows: entries } = await sql<{ subject_id: string; user_id: number; created_at: string }>`
    select distinct on (subject_id) subject_id, user_id, created_at from audit_entries
    where account_id = ${account_id} and action in ('conversation.deleted', 'customer.deleted')
      and subject_id = any (${ids}::text[]) and user_id is not null
    order by subject_id, created_at desc`.execute(db)
  const latest = new Map(entries.map((entry) => [entry.subject_id, entry]))
  const users = await loadUsers(
    db,
    account_id,
    entries.map(({ user_id }) => user_id),
  )
  return new Map(
    rows.map(({ id, customer_id, archived_at }) => {
      const entry = [id, customer_id]
        .flatMap((subject) => latest.get(subject) ?? [])
        .find(({ created_at }) => Date.parse(created_at) >= Date.parse(archived_at) - SAME_DELETION_MS)
      return [id, (entry && users.get(entry.user_id)) ?? null]
    }),
  )
}
