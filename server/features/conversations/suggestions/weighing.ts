import { sql } from 'kysely'
import type { Db } from '../../../platform/db/change.ts'
import { type QuestionTerm, stemQuery, wordQuery } from '../../help/article-search/terms.ts'

/** A word of a question with what it tells about the answer: the fewer messages contain it, the more. */
export interface Weighed extends QuestionTerm {
  weight: number
  /** Of the newest thousand messages, those that contain it. */
  count: number
}

/** Messages in which words are counted: the newest say how people write to this company, in every language. */
const SAMPLE = 1_000
/** Shorter words have no endings, but many others begin like them. */
const MIN_STEM = 4

/** Weighs the words of a question by how rare they are in what is written in this account. */
export async function weighTerms(db: Db, account_id: string, terms: QuestionTerm[]): Promise<Weighed[]> {
  const counts = terms.map((term) => {
    const query = hasEndings(term) ? stemQuery(term) : wordQuery(term)
    return sql`count(*) filter (where words @@ ${query}::tsquery)::integer`
  })
  const { rows } = await sql<{ total: number; counts: number[] }>`
    select count(*)::integer as total, array[${sql.join(counts)}] as counts
    from (select words from message_words where account_id = ${account_id} order by created_at desc
      limit ${sql.lit(SAMPLE)}) newest`.execute(db)
  const { total = 0, counts: termCounts = [] } = rows[0] ?? {}
  return terms.map((term, at) => {
    const count = termCounts[at] ?? 0
    return { ...term, count, weight: Math.log((total + 2) / (count + 1)) }
  })
}

/** What a word counts that is in none of the texts: it is often one of those around a question, such as `please`. */
export const UNKNOWN = 0.3

/** The words of a question, of which those that none of the texts contains count less. */
export function discountUnknown(terms: readonly Weighed[], texts: readonly string[][]): Weighed[] {
  return terms.map((term) =>
    texts.some((words) => contains(words, term)) ? term : { ...term, weight: UNKNOWN * term.weight },
  )
}

/** How much of a question is in the words of a text, from 0 to 1: the share of the weight of its words. */
export function coverageOf(words: readonly string[], terms: readonly Weighed[]): number {
  const weightOf = (weighed: readonly Weighed[]) => weighed.reduce((sum, { weight }) => sum + weight, 0)
  const whole = weightOf(terms)
  return whole === 0 ? 0 : weightOf(terms.filter((term) => contains(words, term))) / whole
}

function hasEndings({ words }: QuestionTerm): boolean {
  return words.length === 1 && [...words[0]!].length >= MIN_STEM
}

/** Whether words contain a term: its stem as a beginning, a short word as it is, or a pair of characters in a row. */
function contains(words: readonly string[], term: QuestionTerm): boolean {
  const { words: wanted, stem } = term
  if (hasEndings(term)) return words.some((word) => word.startsWith(stem))
  return words.some((_, at) => wanted.every((part, i) => words[at + i] === part))
}
