import type { SearchedArticles } from './ranking.ts'
import { correct } from './spelling.ts'
import { type QuestionTerm, stemOf } from './terms.ts'

/** A word with the number of articles that contain it, and what it says about an article: rare words say more. */
export interface WeighedTerm extends QuestionTerm {
  count: number
  weight: number
}

/** A corrected word is worth less than one that was typed. */
const CORRECTED = 0.8
const UNKNOWN = 0.3
/** Latin words of one or two letters say little in any language. */
const SHORT = 0.3
/** So are most pairs of characters: the end of one word and the beginning of the next. */
const UNKNOWN_PAIR = 0.12

/** The words of a question with their weights. Words that no article has are replaced by similar ones of titles. */
export async function countTerms(
  articles: Pick<SearchedArticles, 'count' | 'titleWords'>,
  terms: QuestionTerm[],
  total: number,
): Promise<WeighedTerm[]> {
  const counts = await articles.count(terms)
  const typed = terms.map((term, at) => weigh(term, counts[at]!, total))
  const missing = typed.filter(({ count, words }) => count === 0 && words.length === 1)
  if (missing.length === 0) return typed
  const vocabulary = await articles.titleWords()
  const corrected = missing.flatMap((term) =>
    correct(term.words[0]!, vocabulary).map((word) => ({ for: term, term: { words: [word], stem: stemOf(word) } })),
  )
  if (corrected.length === 0) return typed
  const recounted = await articles.count(corrected.map(({ term }) => term))
  const replaced = corrected.map(({ term }, at) => {
    const weighed = weigh(term, recounted[at]!, total)
    return { ...weighed, weight: weighed.weight * CORRECTED }
  })
  const isReplaced = new Set(corrected.map((correction) => correction.for))
  return [...typed.filter((term) => !isReplaced.has(term)), ...replaced]
}

/** Words that no article has are often those around the question (`please`, `my`), so they count less. */
function weigh(term: QuestionTerm, count: number, total: number): WeighedTerm {
  const weight = Math.log(1 + total / (count + 0.5)) * shareOf(term, count)
  return { ...term, count, weight }
}

function shareOf({ words, stem }: QuestionTerm, count: number): number {
  if (words.length > 1) return count > 0 ? 1 : UNKNOWN_PAIR
  const ofLength = /^[a-z]{1,2}$/.test(stem) ? SHORT : 1
  return ofLength * (count > 0 ? 1 : UNKNOWN)
}
