import { SEARCH_PAGE_LIMIT, SEARCH_PAGE_SIZE } from '#contract/conversations/search.ts'
import { type Position, readCursor, writeCursor } from '../../../platform/cursor.ts'
import type { Db } from '../../../platform/db/change.ts'
import { readTogether } from '../../../platform/db/transact.ts'
import { startPosition } from './conditions.ts'
import { findFewConversations } from './few-conversations.ts'
import { findConversations } from './finding-conversations.ts'
import { findMessages } from './finding-messages.ts'
import { merge, type Page, type Slice, TOP } from './positions.ts'
import { showHits } from './presenting.ts'
import { buildQuestion, type Question } from './question.ts'
import type { Steps } from './search-further.ts'

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
  return readTogether(db, async (together) => {
    const question = await buildQuestion(together, account_id, me, q)
    if (!question) return { data: [], next: null }
    const { page, next } = await searchEverywhere(together, question, from, count)
    return { data: await showHits(together, question, page), next: next && writeCursor(next) }
  })
}

/**
 * Searches customers, subjects and messages. `from:` and `has:file` only apply to messages; without words only messages
 * are searched.
 */
async function searchEverywhere(db: Db, question: Question, from: Position, count: number): Promise<Page> {
  const started = performance.now()
  // One more than a page, to know whether there is a next one.
  const search = { db, question, limit: count + 1 }
  const before = startPosition(question, from)
  const few = await findFewConversations(db, question)
  const isAboutMessages = question.authors.length > 0 || question.hasFile
  const ways = [
    ...(isAboutMessages ? [] : [findConversations(search, before, few)]),
    ...(isAboutMessages || question.terms.length > 0 ? [findMessages(search, before, few)] : []),
  ]
  // All take their next steps at once, which go out together, and none after the page is full.
  for (let slices: Slice[] = []; ; ) {
    slices = await Promise.all(ways.map((steps, i) => nextStep(steps, slices[i], search.limit)))
    const page = merge(slices, count)
    if (page.page.length === count || !page.next || performance.now() - started > ENOUGH_MS) return page
  }
}

async function nextStep(steps: Steps, soFar: Slice | undefined, limit: number): Promise<Slice> {
  if (soFar && (soFar.reached === null || soFar.matches.length >= limit)) return soFar
  const { value } = await steps.next()
  return value ?? { matches: [], ...soFar, reached: null }
}
