import type { Position } from '../../../platform/cursor.ts'
import type { Db } from '../../../platform/db/change.ts'
import type { Slice } from './positions.ts'
import type { Question } from './question.ts'

/** What one page is searched for. */
export interface Search {
  db: Db
  question: Question
  /** Maximum number of matches. */
  limit: number
}

/**
 * One way of searching, step by step: everything found so far after each step. It may be left after any of them, and ends
 * with the limit reached or everything searched.
 */
export type Steps = AsyncGenerator<Slice, void>

/** Continues a search from the end of a step until there are enough matches, or everything was searched. */
export async function* searchFurther(
  { limit }: Search,
  begun: Slice,
  step: (before: Position) => Promise<Slice>,
): Steps {
  let { matches, reached } = begun
  while (reached && matches.length < limit) {
    const next = await step(reached)
    matches = [...matches, ...next.matches].slice(0, limit)
    reached = matches.length >= limit ? (matches.at(-1) ?? null) : next.reached
    yield { matches, reached }
  }
}
