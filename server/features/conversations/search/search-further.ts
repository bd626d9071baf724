import type { Position } from '../../../platform/cursor.ts'
import type { Db } from '../../../platform/db/change.ts'
import type { Slice } from './positions.ts'
import type { Question } from './question.ts'

/** A search in progress. */
export interface Search {
  db: Db
  question: Question
  /** Maximum number of matches. */
  limit: number
  /** Whether the time for one response is over. */
  isOutOfTime(): boolean
}

/**
 * Continues a search step by step from the end of a scan, until there are enough matches, everything was searched, or
 * time is over.
 */
export async function searchFurther(
  { limit, isOutOfTime }: Search,
  begun: Slice,
  step: (before: Position) => Promise<Slice>,
): Promise<Slice> {
  let { found, reached } = begun
  while (reached && found.length < limit && !isOutOfTime()) {
    const next = await step(reached)
    found = [...found, ...next.found].slice(0, limit)
    reached = next.reached
  }
  return { found, reached: found.length >= limit ? (found.at(-1) ?? null) : reached }
}
