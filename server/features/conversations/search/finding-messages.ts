import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Position } from '../../../platform/cursor.ts'
import type { Db } from '../../../platform/db/change.ts'
import { unplanned } from '../../../platform/db/unplanned.ts'
import { all, joinConversation, ofConversation, ofMessage } from './conditions.ts'
import type { FewConversations } from './few-conversations.ts'
import { below, type MatchPosition, type Slice, sliceOf } from './positions.ts'
import type { Question } from './question.ts'
import { type Search, type Steps, searchFurther } from './search-further.ts'
import { dayOf, keyQuery, matchQuery, startOfDay, type Term } from './terms.ts'

// There are two ways to find messages, newest first. Scanning reads messages one after the other and is fast if many
// match. The index is read for one group of days after the other and is fast if few match. A short scan and a sample of
// older messages decide, because the newest can be unlike all others: after a mailing or an import, for example.

const FIRST_WALK = 100
const NEXT_WALK = 2500
/** Words in a larger share of messages are found by scanning: the index would return more rows than a scan reads. */
const COMMON = 0.01
/** The sample: so many messages at each of so many moments between the oldest and the newest. */
const MOMENTS = 10
const AT_EACH = 10
/** A few conversations with up to this many messages are read as a whole. */
const READ_WHOLE = 5000
const MAX_DAYS = 400
/** The first index look-up covers this many days; after one faster than `CHEAP_MS`, the next covers as many times more. */
const FIRST_DAYS = 8
const CHEAP_MS = 8

/** Matching messages older than `before`. */
export async function* findMessages(search: Search, before: Position, few: FewConversations | undefined): Steps {
  if (few && few.messages <= READ_WHOLE) return yield await readWhole(search, before, few.ids)
  const [walked, sample] = await Promise.all([walk(search, before, FIRST_WALK), readSample(search, before)])
  yield walked
  const share = (walked.matches.length + sample.candidates) / (FIRST_WALK + sample.looked)
  if (search.question.terms.length > 0 && share < COMMON) yield* searchIndex(search, walked, sample.oldest)
  else yield* searchFurther(search, walked, (reached) => walk(search, reached, NEXT_WALK))
}

interface FoundRow {
  id: string
  at: string
  conversation_id: string
}

/** Reads the next messages, newest first, until enough match or a number was read. */
async function walk({ db, question, limit }: Search, before: Position, count: number): Promise<Slice> {
  const next = sql`message_words w where ${all(ofMessage({ ...question, authors: [], hasFile: false }))}
    and (w.created_at, w.message_id) < (${unplanned(before.at, 'timestamptz')}, ${unplanned(before.id, 'uuid')})`
  const newestFirst = sql`order by w.created_at desc, w.message_id desc`
  const { rows } = await sql<FoundRow & { is_last: boolean }>`
    with found as (
      select w.message_id as id, w.created_at as at, w.conversation_id
      from (select w.* from ${next} ${newestFirst} limit ${sql.lit(count)}) w ${joinConversation(question)}
      where ${hasWords(question.terms)} and ${all(ofMessage(question))} and ${all(ofConversation(question))}
      ${newestFirst} limit ${sql.lit(limit)})
    select id, at, conversation_id, false as is_last from found
    union all (
      select message_id, created_at, null, true from ${next} and (select count(*) from found) < ${sql.lit(limit)}
      ${newestFirst} limit 1 offset ${sql.lit(count - 1)})`.execute(db)
  return sliceOf(rows, limit, toMatch)
}

function hasWords(terms: Term[]): RawBuilder<SqlBool> {
  return terms.length > 0 ? sql<SqlBool>`w.words @@ ${matchQuery(terms)}::tsquery` : sql<SqlBool>`true`
}

/** How many messages of all times contain the words, of a few; and the day of the oldest one that may match. */
async function readSample({ db, question }: Search, before: Position) {
  const { account_id, terms, since } = question
  const { rows } = await sql<{ looked: number; candidates: number; oldest: string | null }>`
    with span as (
      select greatest(min(created_at), ${since}::timestamptz) as oldest, least(now(), ${before.at}::timestamptz) as newest
      from message_words where account_id = ${account_id})
    select count(w) as looked, count(w) filter (where ${hasWords(terms.flatMap(apart))}) as candidates, span.oldest
    from span left join generate_series(1, ${sql.lit(MOMENTS)}) moment on true
    left join lateral (
      select words from message_words
      where account_id = ${account_id} and created_at <= oldest + (newest - oldest) * moment / ${sql.lit(MOMENTS)}
      order by created_at desc limit ${sql.lit(AT_EACH)}) w on true
    group by span.oldest`.execute(db)
  const { looked, candidates, oldest } = rows[0]!
  return { looked, candidates, oldest: oldest ? dayOf(oldest) : Number.POSITIVE_INFINITY }
}

/** The words of a phrase in any order, which is all that the index can find. */
function apart({ words, isPrefix }: Term): Term[] {
  return words.map((word, i) => ({ words: [word], isPrefix: isPrefix && i === words.length - 1 }))
}

/** Searches from the end of a scan to the oldest message, in groups of days that grow while they are fast. */
async function* searchIndex({ db, question, limit }: Search, walked: Slice, oldest: number): Steps {
  const matches = [...walked.matches]
  let before = walked.reached!
  let days = FIRST_DAYS
  for (let newest = dayOf(before.at); newest >= oldest; ) {
    const from = Math.max(oldest, newest - days + 1)
    const started = performance.now()
    matches.push(...(await searchDays(db, question, before, [from, newest], limit - matches.length)))
    if (performance.now() - started < CHEAP_MS) days = Math.min(days * FIRST_DAYS, MAX_DAYS)
    before = below(startOfDay(from))
    newest = from - 1
    const isEnd = newest < oldest
    yield { matches: [...matches], reached: matches.length >= limit ? (matches.at(-1) ?? null) : isEnd ? null : before }
  }
}

async function searchDays(db: Db, question: Question, before: Position, [from, to]: [number, number], limit: number) {
  const { terms, account_id, authors } = question
  const [author] = authors
  const users = author && author.customer_ids.length === 0 ? author.user_ids : []
  const keys = Array.from({ length: to - from + 1 }, (_, i) => keyQuery(terms, account_id, to - i, users))
  // The inner query has no other indexable condition, so that the planner cannot choose another index.
  // It does not see the keys, because it would spend more time on estimates for each of them than the index on reading them.
  const { rows } = await sql<FoundRow>`
    with named as materialized (
      select account_id, message_id, conversation_id, user_id, customer_id, created_at from message_words w
      where search_keys(w.account_id, search_day(w.created_at), w.words, w.user_id)
        @@ any(array(select unnest(${keys}::text[])::tsquery))
      and w.words @@ ${matchQuery(terms)}::tsquery)
    select w.message_id as id, w.created_at as at, w.conversation_id from named w ${joinConversation(question)}
    where (w.created_at, w.message_id) < (${before.at}::timestamptz, ${before.id}::uuid)
    and ${all(ofMessage(question))} and ${all(ofConversation(question))}
    order by w.created_at desc, w.message_id desc limit ${sql.lit(limit)}`.execute(db)
  return rows.map(toMatch)
}

async function readWhole({ db, question, limit }: Search, before: Position, ids: string[]): Promise<Slice> {
  const { terms, account_id } = question
  const { rows } = await sql<FoundRow>`
    select w.message_id as id, w.created_at as at, w.conversation_id
    from messages m join message_words w
      on w.account_id = m.account_id and w.created_at = m.created_at and w.message_id = m.id
    where m.account_id = ${account_id} and m.conversation_id = any(${ids}::uuid[])
    and ${hasWords(terms)}
    and (w.created_at, w.message_id) < (${before.at}::timestamptz, ${before.id}::uuid)
    and ${all(ofMessage(question))}
    order by w.created_at desc, w.message_id desc limit ${sql.lit(limit)}`.execute(db)
  return sliceOf(rows, limit, toMatch)
}

function toMatch({ id, at, conversation_id }: FoundRow): MatchPosition {
  return { id, at, conversation_id, matched: 'message' }
}
