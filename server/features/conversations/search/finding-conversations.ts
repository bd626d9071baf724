import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Position } from '../../../platform/cursor.ts'
import { all, ofConversation } from './conditions.ts'
import { FEW, type FewConversations } from './few-conversations.ts'
import type { MatchPosition, Slice } from './positions.ts'
import { findCustomers, type Question } from './question.ts'
import { type Search, type Steps, searchFurther } from './search-further.ts'
import { keyQuery, matchQuery } from './terms.ts'

// Finds conversations whose customer or subject matches, latest activity first. As with messages, a short scan finds
// frequent words, and the indexes of customers and subjects find rare ones.

const FIRST_WALK = 50
const NEXT_WALK = 500

/** Like `findMessages`. Without words, every conversation that matches the operators is found. */
export async function* findConversations(search: Search, before: Position, few: FewConversations | undefined): Steps {
  if (few) return yield await readAmong(search, before, sql`c.id = any(${few.ids}::uuid[])`)
  const walked = await walk(search, before, FIRST_WALK)
  yield walked
  const isRare = search.question.terms.length > 0 && walked.matches.length === 0
  const named = isRare ? await findNamed(search) : undefined
  if (named === 'nothing') return yield { matches: [], reached: null }
  if (named) return yield await readAmong(search, walked.reached!, named)
  yield* searchFurther(search, walked, (reached) => walk(search, reached, NEXT_WALK))
}

interface ConversationMatchRow {
  id: string
  at: string
  by_customer: boolean | null
}

const newestFirst = sql`order by c.last_activity_at desc, c.id desc`

/** Reads the next conversations up to a number, whether they match or not. */
async function walk({ db, question, limit }: Search, before: Position, count: number): Promise<Slice> {
  const statuses = question.statuses.length > 0 ? question.statuses : ['open', 'closed']
  const { rows } = await sql<ConversationMatchRow & { looked: number; end_at: string; end_id: string }>`
    with looked as materialized (
      select c.* from unnest(${statuses}::text[]) wanted (status), lateral (
        select c.id, c.account_id, c.customer_id, c.inbox_id, c.assignee_id, c.status, c.last_activity_at
        from conversations c where c.status = wanted.status and ${all(ofPosition(question, before))}
        ${newestFirst} limit ${sql.lit(count)}) c
      ${newestFirst} limit ${sql.lit(count)}),
    found as (${selectMatching(question, sql`looked`)} ${newestFirst} limit ${sql.lit(limit)}),
    summary as (select count(*) as looked from looked),
    last as (select last_activity_at as end_at, id as end_id from looked order by last_activity_at, id limit 1)
    select * from summary left join last on true left join found on true order by at desc nulls last, id desc`.execute(
    db,
  )
  const [first] = rows
  const matches = toMatches(question, rows)
  const end = (first?.looked ?? 0) < count ? null : { at: first!.end_at, id: first!.end_id }
  return { matches, reached: matches.length >= limit ? (matches.at(-1) ?? null) : end }
}

/** All conversations matching `among`, which must use an index. */
async function readAmong(
  { db, question, limit }: Search,
  before: Position,
  among: RawBuilder<unknown>,
): Promise<Slice> {
  const { rows } = await sql<ConversationMatchRow>`${selectMatching(question, sql`conversations`)} and ${among}
    and ${all(ofPosition(question, before))} ${newestFirst} limit ${sql.lit(limit)}`.execute(db)
  const matches = toMatches(question, rows)
  return { matches, reached: matches.length >= limit ? (matches.at(-1) ?? null) : null }
}

function ofPosition({ account_id, since }: Question, before: Position): RawBuilder<SqlBool>[] {
  return [
    sql<SqlBool>`c.account_id = ${account_id} and c.archived_at is null`,
    sql<SqlBool>`(c.last_activity_at, c.id) < (${before.at}::timestamptz, ${before.id}::uuid)`,
    ...(since ? [sql<SqlBool>`c.last_activity_at >= ${since}`] : []),
  ]
}

function selectMatching(question: Question, source: RawBuilder<unknown>): RawBuilder<unknown> {
  const conditions = all(ofConversation(question))
  if (question.terms.length === 0) {
    return sql`select c.id, c.last_activity_at as at, null::boolean as by_customer from ${source} c where ${conditions}`
  }
  const match = sql`${matchQuery(question.terms)}::tsquery`
  return sql`select c.id, c.last_activity_at as at, cu.words @@ ${match} as by_customer from ${source} c
    join customers cu on cu.account_id = c.account_id and cu.id = c.customer_id
    left join subject_words s on s.account_id = c.account_id and s.conversation_id = c.id
    where (cu.words @@ ${match} or s.words @@ ${match}) and ${conditions}`
}

/** The conversations of all matching customers and with all matching subjects, unless these are many. */
async function findNamed({ db, question }: Search): Promise<RawBuilder<unknown> | 'nothing' | undefined> {
  const { account_id, terms } = question
  const [customer_ids, { rows }] = await Promise.all([
    findCustomers(db, account_id, terms, FEW + 1),
    sql<{ id: string }>`
      select conversation_id as id from subject_words
      where search_keys(account_id, null, words, null) @@ ${keyQuery(terms, account_id)}::tsquery
      and account_id = ${account_id} and words @@ ${matchQuery(terms)}::tsquery limit ${sql.lit(FEW + 1)}`.execute(db),
  ])
  if (customer_ids.length > FEW || rows.length > FEW) return undefined
  if (customer_ids.length + rows.length === 0) return 'nothing'
  const ids = rows.map(({ id }) => id)
  return sql`(c.customer_id = any(${customer_ids}::uuid[]) or c.id = any(${ids}::uuid[]))`
}

function toMatches({ terms }: Question, rows: ConversationMatchRow[]): MatchPosition[] {
  return rows.flatMap(({ id, at, by_customer }) => {
    if (!id) return []
    const matched = terms.length === 0 ? 'conversation' : by_customer ? 'customer' : 'subject'
    return [{ id, at, conversation_id: id, matched }]
  })
}
