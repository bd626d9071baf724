import { sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import { correct } from './spelling.ts'
import { lexemesOf, type QuestionTerm, stemOf } from './terms.ts'

/** A word with the number of articles that contain it, and what it says about an article: rare words say more. */
export interface WeighedTerm extends QuestionTerm {
  count: number
  weight: number
  /** Its condition on the index. */
  key: string
}

/** Counting stops here: more frequent words all say little. */
const MAX_COUNT = 500
/** A corrected word is worth less than one that was typed. */
const CORRECTED = 0.8
const UNKNOWN = 0.3
/** Latin words of one or two letters say little in any language. */
const SHORT = 0.3
/** So are most pairs of characters: the end of one word and the beginning of the next. */
const UNKNOWN_PAIR = 0.12

interface Statistics {
  /** The number of published articles. */
  total: number
  /** The words of their titles; only called if a word is in no article. */
  readVocabulary(): Promise<string[]>
}

/** The words of a question with their weights. Words that no article has are replaced by similar ones of titles. */
export async function countTerms(
  db: Db,
  account_id: string,
  terms: QuestionTerm[],
  { total, readVocabulary }: Statistics,
): Promise<WeighedTerm[]> {
  const counts = await count(db, account_id, terms)
  const typed = terms.map((term, at) => weigh(account_id, term, counts[at]!, total))
  const missing = typed.filter(({ count, words }) => count === 0 && words.length === 1)
  if (missing.length === 0) return typed
  const vocabulary = await readVocabulary()
  const corrected = missing.flatMap((term) =>
    correct(term.words[0]!, vocabulary).map((word) => ({ for: term, term: { words: [word], stem: stemOf(word) } })),
  )
  if (corrected.length === 0) return typed
  const recounted = await count(
    db,
    account_id,
    corrected.map(({ term }) => term),
  )
  const replaced = corrected.map(({ term }, at) => {
    const weighed = weigh(account_id, term, recounted[at]!, total)
    return { ...weighed, weight: weighed.weight * CORRECTED }
  })
  const isReplaced = new Set(corrected.map((correction) => correction.for))
  return [...typed.filter((term) => !isReplaced.has(term)), ...replaced]
}

/** Words that no article has are often those around the question (`please`, `my`), so they count less. */
function weigh(account_id: string, term: QuestionTerm, count: number, total: number): WeighedTerm {
  const weight = Math.log(1 + total / (count + 0.5)) * shareOf(term, count)
  return { ...term, count, weight, key: keyOf(account_id, term) }
}

function shareOf({ words, stem }: QuestionTerm, count: number): number {
  if (words.length > 1) return count > 0 ? 1 : UNKNOWN_PAIR
  const ofLength = /^[a-z]{1,2}$/.test(stem) ? SHORT : 1
  return ofLength * (count > 0 ? 1 : UNKNOWN)
}

/** As `search_keys` writes them: every word with the beginning of the account's id in front. */
function keyOf(account_id: string, term: QuestionTerm): string {
  const scope = account_id.slice(0, 8)
  return lexemesOf(term, (word) => `'${scope}${[...word].slice(0, 64).join('')}'`).join(' & ')
}

async function count(db: Db, account_id: string, terms: QuestionTerm[]): Promise<number[]> {
  const keys = terms.map((term) => keyOf(account_id, term))
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from (
        select from published_articles p
        where search_keys(p.account_id, null, p.words, null) @@ wanted.key::tsquery
        and p.account_id = ${account_id} limit ${sql.lit(MAX_COUNT)}) matching) as count
    from unnest(${keys}::text[]) with ordinality wanted (key, place) order by place`.execute(db)
  return rows.map(({ count }) => Number(count))
}
