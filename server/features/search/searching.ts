import { sql } from 'kysely'
import { SEARCH_PAGE_LIMIT, SEARCH_PAGE_SIZE } from '#contract/search.ts'
import { type Position, readCursor, writeCursor } from '../../platform/cursor.ts'
import type { Db } from '../../platform/db/change.ts'
import { startPlace } from './conditions.ts'
import { findFewConversations } from './few-conversations.ts'
import { findConversations } from './finding-conversations.ts'
import { findMessages } from './finding-messages.ts'
import { type Found, merge, type Slice, TOP } from './positions.ts'
import { showHits } from './presenting.ts'
import { ask, type Question } from './question.ts'

/** No new step is begun after so many milliseconds; what was not looked at lies behind the cursor. */
const ENOUGH_MS = 20

interface Request {
  q: string
  after?: string
  limit?: number
}

/**
 * One page of what matches, newest first. Pages may be short: the work is limited, and `next` says where to go on.
 * Never fails for what was typed. Throws BadRequest for a cursor that is not ours.
 */
export async function findAnything(db: Db, account_id: string, me: number, { q, after, limit }: Request) {
  const count = Math.min(Math.max(limit ?? SEARCH_PAGE_SIZE, 1), SEARCH_PAGE_LIMIT)
  const from = after ? readCursor(after) : TOP
  const { question, page, next } = await db.transaction().execute(async (open) => {
    // Settings that suit short look-ups, for databases that are not ours and set up for reports.
    await sql`select set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true),
      set_config('enable_seqscan', 'off', true)`.execute(open)
    const question = await ask(open, account_id, me, q)
    if (!question) return { question, page: [] as Found[], next: null }
    return { question, ...merge(await lookEverywhere(open, question, from, count), count) }
  })
  const data = question ? await showHits(db, question, page) : []
  return { data, next: next && writeCursor(next) }
}

/** By customers and subjects, and by messages. `from:` and `has:file` are about messages alone; without words only they are. */
async function lookEverywhere(db: Db, question: Question, from: Position, count: number): Promise<Slice[]> {
  const started = performance.now()
  const isOver = () => performance.now() - started > ENOUGH_MS
  // One more than a page, to know whether there is a next one.
  const search = { db, question, limit: count + 1, isOver }
  const before = startPlace(question, from)
  const few = await findFewConversations(db, question)
  const slices: Slice[] = []
  const isAboutMessages = question.authors.length > 0 || question.hasFile
  if (!isAboutMessages) slices.push(await findConversations(search, before, few))
  if (isAboutMessages || question.terms.length > 0) slices.push(await findMessages(search, before, few))
  return slices
}
