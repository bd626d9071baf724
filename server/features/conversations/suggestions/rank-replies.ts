import type { SavedReply } from '#contract/conversations/saved-replies.ts'
import { foldWords } from '#contract/conversations/search-words.ts'
import type { QuestionTerm } from '../../help/article-search/terms.ts'

/** A word in the name says more than one in the text. */
const NAME = 3
/** The least share of what the rarest words of a question weigh, so that "please" and "my" suggest nothing. */
const MIN_SHARE = 0.25
/** The least share of the best reply's score: what fits much worse is only in the way. */
const NEAR_BEST = 0.4

/**
 * The saved replies that fit a question, best first: those that contain its words, of which the ones that few replies
 * contain weigh more. There are some hundreds at most, so they are compared here and not in the database.
 */
export function rankReplies(replies: SavedReply[], terms: QuestionTerm[], limit: number): SavedReply[] {
  const read = replies.map((reply) => ({
    reply,
    name: foldWords(reply.name).map(({ word }) => word),
    all: foldWords(`${reply.name} ${reply.content}`).map(({ word }) => word),
  }))
  const weighed = terms.flatMap((term) => {
    const count = read.filter(({ all }) => contains(all, term)).length
    return count === 0 ? [] : [{ term, weight: Math.log(1 + replies.length / count) }]
  })
  const best = weighed.map(({ weight }) => weight).sort((one, other) => other - one)
  // Of a short question each word counts, of a long one only some can be in a reply.
  const enough = best.slice(0, 3).reduce((sum, weight) => sum + weight, 0) * MIN_SHARE
  const scored = read.map(({ reply, name, all }) => {
    const matched = weighed.filter(({ term }) => contains(all, term))
    const score = matched.reduce((sum, { term, weight }) => sum + weight * (contains(name, term) ? NAME : 1), 0)
    return { reply, score }
  })
  const least = Math.max(enough, NEAR_BEST * Math.max(0, ...scored.map(({ score }) => score)))
  return scored
    .filter(({ score }) => score > 0 && score >= least)
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ reply }) => reply)
}

/** Whether words contain a term: its stem as a beginning, or a pair of characters in a row. */
function contains(words: string[], { words: wanted, stem }: QuestionTerm): boolean {
  if (wanted.length === 1) return words.some((word) => word.startsWith(stem))
  return words.some((word, at) => wanted.every((part, i) => words[at + i] === part || (i === 0 && word === part)))
}
