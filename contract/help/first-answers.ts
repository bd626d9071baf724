import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { CountParameter, Id, maybe, Text, Timestamp } from '../wire.ts'
import { ArticleLanguage } from './help-center.ts'
import { MAX_QUESTION_LENGTH } from './public-articles.ts'

/** What the assistant did about a customer's message. */
export const FirstAnswerKind = z.enum(['answer', 'asked_back', 'handed_over', 'helped'])
export type FirstAnswerKind = z.output<typeof FirstAnswerKind>

/** Why a person is to go on. */
export const HandOverReason = z.enum([
  'asked_for_person',
  'angry',
  'no_answer',
  'no_model',
  'too_many',
  'switched_off',
  'late',
])
export type HandOverReason = z.output<typeof HandOverReason>

/** What became of the conversation of an answer. A list, because the dashboard is built without schemas. */
export const ANSWER_OUTCOMES = ['helped', 'handed_over', 'reopened', 'no_reaction'] as const
export const AnswerOutcome = z.enum(ANSWER_OUTCOMES)
export type AnswerOutcome = z.output<typeof AnswerOutcome>

const kind = z.describe(
  '`answer` from articles, `asked_back` what was meant, `handed_over` to a person, or `helped`, as the customer said.',
)
const outcome = z.describe(
  '`helped`; `handed_over` to a person; `reopened`, if the customer wrote again after it had helped; or `no_reaction` yet.',
)
const reason = z.describe('Why a person is to go on; null for other kinds.')

/** A published article that an answer names. */
export const AnswerArticle = z.object({
  id: z.string(),
  language: z.string().check(z.describe('The language of its text, such as `en`.')),
  title: z.string().check(z.describe('Its heading when it was named.')),
  url: z.string().check(z.describe('Its public address when it was named.')),
})
export type AnswerArticle = z.output<typeof AnswerArticle>

/** What the assistant did about a customer's message, and what became of it. */
export const FirstAnswer = z.object({
  id: z.string().check(z.describe('The id of the customer’s message.')),
  object: z.literal('first_answer'),
  conversation_id: z.string(),
  kind: FirstAnswerKind.check(kind),
  reason: z.nullable(HandOverReason).check(reason),
  question: z.string().check(z.describe('What the customer wrote.')),
  answer: z.nullable(z.string()).check(z.describe('What the assistant wrote, as Markdown; null if nothing.')),
  articles: z.array(AnswerArticle).check(z.describe('The articles that it names.')),
  outcome: AnswerOutcome.check(outcome),
  created_at: Timestamp,
})
export type FirstAnswer = z.output<typeof FirstAnswer>

/** How the conversations of a period ended that the assistant answered first. */
export const FirstAnswerFigures = z.object({
  object: z.literal('first_answer_figures'),
  answered: z.int32().check(z.describe('Conversations in which it wrote something.')),
  helped: z.int32().check(z.describe('Those closed because the customer said that it helped.')),
  handed_over: z.int32().check(z.describe('Those in which a person went on.')),
  reopened: z.int32().check(z.describe('Those in which the customer wrote again after it had helped.')),
  no_reaction: z.int32().check(z.describe('Those in which the customer has not written since.')),
  handed_over_by_reason: z
    .array(
      z.object({
        reason: z
          .nullable(HandOverReason)
          .check(z.describe('Why a person is to go on; null if a person took the conversation without being asked.')),
        count: z.int32(),
      }),
    )
    .check(z.describe('Those in which a person went on, by why; the most frequent reason first.')),
})
export type FirstAnswerFigures = z.output<typeof FirstAnswerFigures>

/** What the assistant would do about a question. */
export const TriedAnswer = z.object({
  object: z.literal('tried_answer'),
  kind: FirstAnswerKind.check(kind),
  reason: z.nullable(HandOverReason).check(reason),
  answer: z.nullable(z.string()).check(z.describe('What it would write, as Markdown.')),
  articles: z.array(AnswerArticle).check(z.describe('The articles that it would name.')),
})
export type TriedAnswer = z.output<typeof TriedAnswer>

/** Calls about what the assistant answers in the chat. */
export const firstAnswers = {
  list: endpoint('user', 'GET', '/api/first_answers', {
    summary: 'Lists what the assistant answered, newest first, in pages of at most 50.',
    query: z.object({
      outcome: z.optional(AnswerOutcome).check(outcome),
      after: z.optional(Text(200)).check(z.describe('The `next` of the page before. Leave it out for the first page.')),
      limit: CountParameter,
    }),
    answer: z.object({
      data: z.array(FirstAnswer),
      next: z.nullable(z.string()).check(z.describe('Send it as `after` for the next page; null on the last one.')),
    }),
  }),
  figures: endpoint('user', 'GET', '/api/first_answers/figures', {
    summary: 'Counts how the conversations of the last 30 days ended that the assistant answered first.',
    answer: data(FirstAnswerFigures),
  }),
  tryOut: endpoint('admin', 'POST', '/api/first_answers/try', {
    summary: 'Answers a question as the assistant would in the chat. Nothing is stored or sent.',
    body: z.object({
      question: Text(MAX_QUESTION_LENGTH).check(z.describe('What a customer might write.')),
      inbox_id: maybe(Id).check(z.describe('The inbox whose texts are used; the primary one by default.')),
      language: maybe(ArticleLanguage).check(z.describe('The language of the customer; by default the inbox’s.')),
    }),
    answer: data(TriedAnswer),
  }),
}
