import { sql } from 'kysely'
import type { Excerpt } from '#contract/conversations/search.ts'
import type { SolvedConversation } from '#contract/conversations/suggestions.ts'
import { cutText } from '#contract/text/graphemes.ts'
import { withoutMarks } from '#contract/text/plain.ts'
import type { Db } from '../../../platform/db/change.ts'
import { partsOf } from '../../help/article-search/terms.ts'
import { maskPersonalData } from '../../help/articles/masking.ts'
import { excerptOf } from '../search/excerpts.ts'
import { wordsOf } from '../search/terms.ts'
import { type Asked, findAlike, type OpenQuestion } from './alike.ts'
import { coverageOf, type Weighed } from './weighing.ts'

/** Messages after a question in which its answer is looked for. */
const MAX_FOLLOWING = 12
/** Of a question and of an answer, in characters: more is hardly an answer to insert. */
const MAX_LENGTH = 4_000
/** Shorter answers, such as “Yes.” and “Done!”, say nothing to others. Scripts without blanks have a word for each sign. */
const MIN_WORDS = 4

/**
 * What the team answered in closed conversations to questions that share rare words with this one, best first. Neither
 * notes nor what a bot said, and without what could tell who the other customer is.
 */
export async function findSolved(
  db: Db,
  account_id: string,
  question: OpenQuestion,
  limit: number,
): Promise<SolvedConversation[]> {
  const alike = await findAlike(db, account_id, question)
  if (alike.length === 0) return []
  const answers = await readAnswers(db, account_id, alike)
  const solved = new Map<string, SolvedConversation>()
  for (const asked of alike) {
    const answer = answers.get(asked.message_id)
    if (!answer || solved.size >= limit) continue
    const masked = maskPersonalData(answer.body, asked.customer)
    const words = wordsOf(masked)
    // The same saved reply was sent to many.
    const key = words.join(' ')
    if (words.length >= MIN_WORDS && !solved.has(key))
      solved.set(key, {
        conversation_id: asked.conversation_id,
        asked: bestSentence(maskPersonalData(asked.body, asked.customer), question.terms),
        answer: masked,
        answered_at: answer.at,
      })
  }
  return [...solved.values()]
}

interface Answer {
  body: string
  at: string
}

/** By the question's message: what agents wrote after it, up to the customer's next message. */
async function readAnswers(db: Db, account_id: string, questions: Asked[]): Promise<Map<string, Answer>> {
  const ids = questions.map(({ message_id }) => message_id)
  const { rows } = await sql<{ message_id: string; body: string; at: string; is_by_customer: boolean }>`
    select q.id as message_id, m.body, m.created_at as at, m.customer_id is not null as is_by_customer
    from messages q cross join lateral (
      select number, body, created_at, customer_id from messages
      where account_id = q.account_id and conversation_id = q.conversation_id and number > q.number
      and type = 'reply' and not private and body is not null
      order by number limit ${sql.lit(MAX_FOLLOWING)}) m
    where q.account_id = ${account_id} and q.id = any(${ids}::uuid[])
    order by q.id, m.number`.execute(db)
  const answers = new Map<string, Answer>()
  for (const [id, following] of Map.groupBy(rows, ({ message_id }) => message_id)) {
    const first = following.findIndex(({ is_by_customer }) => !is_by_customer)
    if (first < 0) continue
    const end = following.findIndex(({ is_by_customer }, at) => at > first && is_by_customer)
    const written = following.slice(first, end < 0 ? undefined : end)
    const body = written.map((message) => message.body.trim()).join('\n\n')
    answers.set(id, { body: cutText(body, MAX_LENGTH), at: written[0]!.at })
  }
  return answers
}

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** The sentence of a question that has most of what is asked now. */
function bestSentence(question: string, terms: Weighed[]): Excerpt {
  const text = withoutMarks(question.slice(0, MAX_LENGTH))
  const best = [...sentences.segment(text)]
    .map(({ segment }) => ({ segment: segment.trim(), coverage: coverageOf(wordsOf(segment), terms) }))
    .reduce((a, b) => (b.coverage > a.coverage ? b : a))
  return excerptOf(best.segment, partsOf(terms))
}
