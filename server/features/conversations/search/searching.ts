import { sql } from 'kysely'
import { SEARCH_PAGE_LIMIT, SEARCH_PAGE_SIZE } from '#contract/conversations/search.ts'
import { type Position, readCursor, writeCursor } from '../../../platform/cursor.ts'
import type { Db } from '../../../platform/db/change.ts'
import { startPlace } from './conditions.ts'
import { findFewConversations } from './few-conversations.ts'
import { findConversations } from './finding-conversations.ts'
import { findMessages } from './finding-messages.ts'
import { type MatchPosition, merge, type Slice, TOP } from './positions.ts'
import { showHits } from './presenting.ts'
import { buildQuestion, type Question } from './question.ts'

/** No new step begins after this many milliseconds; the cursor continues with what was not searched. */
const ENOUGH_MS = 20

interface Request {
  q: string
  after?: string
  limit?: number
}

/**
 * One page of matches, newest first. Pages may be short: the work is limited, and `next` continues.
 * Never fails for any typed text. Throws BadRequest for an invalid cursor.
 */
export async function findAnything(db: Db, account_id: string, me: number, { q, after, limit }: Request) {
  const count = Math.min(Math.max(limit ?? SEARCH_PAGE_SIZE, 1), SEARCH_PAGE_LIMIT)
  const from = after ? readCursor(after) : TOP
  const { question, page, next } = await db.transaction().execute(async (tx) => {
    // For external databases configured for reports: settings that suit short queries.
    await sql`select set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true),
      set_config('enable_seqscan', 'off', true)`.execute(tx)
    const question = await buildQuestion(tx, account_id, me, q)
    if (!question) return { question, page: [] as MatchPosition[], next: null }
    return { question, ...merge(await searchEverywhere(tx, question, from, count), count) }
  })
  const data = question ? await showHits(db, question, page) : []
  return { data, next: next && writeCursor(next) }
}

/**
 * Searches customers, subjects and messages. `from:` and `has:file` only apply to messages; without words only messages
 * are searched.
 */
async function searchEverywhere(db: Db, question: Question, from: Position, count: number): Promise<Slice[]> {
  const started = performance.now()
  const isOutOfTime = () => performance.now() - started > ENOUGH_MS
  // One more than a page, to know whether there is a next one.
  const search = { db, question, limit: count + 1, isOutOfTime }
  const before = startPlace(question, from)
  const few = await findFewConversations(db, question)
  const slices: Slice[] = []
  const isAboutMessages = question.authors.length > 0 || question.hasFile
  if (!isAboutMessages) slices.push(await findConversations(search, before, few))
  if (isAboutMessages || question.terms.length > 0) slices.push(await findMessages(search, before, few))
  return slices
}
