import { sql } from 'kysely'
import type { Position } from '../../../platform/cursor.ts'
import type { Db } from '../../../platform/db/change.ts'
import { all, joinConversation, ofConversation, ofMessage } from './conditions.ts'
import type { FewConversations } from './few-conversations.ts'
import { below, type MatchPosition, type Slice } from './positions.ts'
import type { Question } from './question.ts'
import { type Search, searchFurther } from './search-further.ts'
import { dayOf, keyQuery, matchQuery, startOfDay, type Term } from './terms.ts'

// There are two ways to find messages, newest first. Scanning reads messages one after the other and is fast if many
// match. The index is read for one group of days after the other and is fast if few match. A short scan decides.

const FIRST_WALK = 100
const NEXT_WALK = 1500
/** Words in a larger share of messages are found by scanning: the index would return more rows than a scan reads. */
const COMMON = 0.01
/** A few conversations with up to this many messages are read as a whole. */
const READ_WHOLE = 5000
const MAX_DAYS = 400
/** The first index look-up covers this many days; after one faster than `CHEAP_MS`, the next covers as many times more. */
const FIRST_DAYS = 8
const CHEAP_MS = 8

/** Matching messages older than `before`. Stops after `limit`, or when time is over, but not before the first step. */
export async function findMessages(
  search: Search,
  before: Position,
  few: FewConversations | undefined,
): Promise<Slice> {
  if (few && few.messages <= READ_WHOLE) return readWhole(search, before, few.ids)
  const [walked, oldest] = await Promise.all([walk(search, before, FIRST_WALK), readOldest(search.db, search.question)])
  if (walked.reached === null || walked.found.length >= search.limit) return walked
  const isRare = search.question.terms.length > 0 && walked.candidates < COMMON * FIRST_WALK
  return isRare
    ? searchIndex(search, walked, oldest)
    : searchFurther(search, walked, (reached) => walk(search, reached, NEXT_WALK))
}

interface WalkedRow {
  id: string
  at: string
  conversation_id: string
  matches: boolean
}

/** Reads the next messages up to a number, whether they match or not. `candidates` contain the words, in any order. */
async function walk({ db, question, limit }: Search, before: Position, count: number) {
  const { terms } = question
  const match = matchQuery(terms)
  const words = matchQuery(terms.flatMap(apart))
  const { rows } = await sql<WalkedRow & { looked: number; candidates: number; end_at: string; end_id: string }>`
    with looked as materialized (
      select * from message_words w where ${all(ofMessage({ ...question, authors: [], hasFile: false }))}
      and (w.created_at, w.message_id) < (${before.at}::timestamptz, ${before.id}::uuid)
      order by w.created_at desc, w.message_id desc limit ${sql.lit(count)}),
    found as (
      select w.message_id as id, w.created_at as at, w.conversation_id from looked w ${joinConversation(question)}
      where ${terms.length > 0 ? sql`w.words @@ ${match}::tsquery` : sql`true`}
      and ${all(ofMessage(question))} and ${all(ofConversation(question))}
      order by w.created_at desc, w.message_id desc limit ${sql.lit(limit)}),
    summary as (
      select count(*) as looked, count(*) filter (where ${terms.length > 0 ? sql`words @@ ${words}::tsquery` : sql`true`}) as candidates
      from looked),
    last as (select created_at as end_at, message_id as end_id from looked order by created_at, message_id limit 1)
    select * from summary left join last on true left join found on true
    order by at desc nulls last, id desc`.execute(db)
  const [first] = rows
  const found = toFound(rows)
  const looked = first?.looked ?? 0
  const end = looked < count ? null : { at: first!.end_at, id: first!.end_id }
  const reached = found.length >= limit ? (found.at(-1) ?? null) : end
  return { found, reached, candidates: first?.candidates ?? 0 }
}

/** The words of a phrase in any order, which is all that the index can find. */
function apart({ words, isPrefix }: Term): Term[] {
  return words.map((word, i) => ({ words: [word], isPrefix: isPrefix && i === words.length - 1 }))
}

/** Searches from the end of a scan to the oldest message, in groups of days that grow while they are fast. */
async function searchIndex(search: Search, walked: Slice, oldest: number): Promise<Slice> {
  const { db, question, limit } = search
  const found = [...walked.found]
  let before = walked.reached!
  let days = FIRST_DAYS
  for (let newest = dayOf(before.at); newest >= oldest; ) {
    if (search.isOutOfTime()) return { found, reached: before }
    const from = Math.max(oldest, newest - days + 1)
    const started = performance.now()
    found.push(...(await searchDays(db, question, before, [from, newest], limit - found.length)))
    if (found.length >= limit) return { found, reached: found.at(-1) ?? null }
    if (performance.now() - started < CHEAP_MS) days = Math.min(days * FIRST_DAYS, MAX_DAYS)
    before = below(startOfDay(from))
    newest = from - 1
  }
  return { found, reached: null }
}

async function searchDays(db: Db, question: Question, before: Position, [from, to]: [number, number], limit: number) {
  const { terms, account_id, authors } = question
  const [author] = authors
  const users = author && author.customer_ids.length === 0 ? author.user_ids : []
  const keys = Array.from({ length: to - from + 1 }, (_, i) => keyQuery(terms, account_id, to - i, users))
  // The inner query has no other indexable condition, so that the planner cannot choose another index.
  const { rows } = await sql<WalkedRow>`
    with named as materialized (
      select account_id, message_id, conversation_id, user_id, customer_id, created_at from message_words w
      where search_keys(w.account_id, search_day(w.created_at), w.words, w.user_id) @@ any(${keys}::tsquery[])
      and w.words @@ ${matchQuery(terms)}::tsquery)
    select w.message_id as id, w.created_at as at, w.conversation_id from named w ${joinConversation(question)}
    where (w.created_at, w.message_id) < (${before.at}::timestamptz, ${before.id}::uuid)
    and ${all(ofMessage(question))} and ${all(ofConversation(question))}
    order by w.created_at desc, w.message_id desc limit ${sql.lit(limit)}`.execute(db)
  return toFound(rows)
}

/** The day of the oldest message that may match. */
async function readOldest(db: Db, { account_id, since }: Question): Promise<number> {
  const { rows } = await sql<{ at: string | null }>`
    select min(created_at) as at from message_words where account_id = ${account_id}`.execute(db)
  const at = rows[0]?.at
  if (!at) return Number.POSITIVE_INFINITY
  return dayOf(since && since > at ? since : at)
}

async function readWhole({ db, question, limit }: Search, before: Position, ids: string[]): Promise<Slice> {
  const { terms, account_id } = question
  const { rows } = await sql<WalkedRow>`
    select w.message_id as id, w.created_at as at, w.conversation_id
    from messages m join message_words w
      on w.account_id = m.account_id and w.created_at = m.created_at and w.message_id = m.id
    where m.account_id = ${account_id} and m.conversation_id = any(${ids}::uuid[])
    and ${terms.length > 0 ? sql`w.words @@ ${matchQuery(terms)}::tsquery` : sql`true`}
    and (w.created_at, w.message_id) < (${before.at}::timestamptz, ${before.id}::uuid)
    and ${all(ofMessage(question))}
    order by w.created_at desc, w.message_id desc limit ${sql.lit(limit)}`.execute(db)
  const found = toFound(rows)
  return { found, reached: found.length >= limit ? (found.at(-1) ?? null) : null }
}

/** The left join returns one empty row if nothing was found. */
function toFound(rows: WalkedRow[]): MatchPosition[] {
  return rows.flatMap(({ id, at, conversation_id }) => (id ? [{ id, at, conversation_id, matched: 'message' }] : []))
}
