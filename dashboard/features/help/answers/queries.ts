import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type AnswerOutcome, firstAnswers } from '#contract/help/first-answers.ts'
import { call } from '../../../platform/http/api.ts'

const key = ['first-answers']

/** What the assistant answered, newest first, in pages. There are no events for it. */
export function answersQuery(outcome: AnswerOutcome | undefined) {
  return infiniteQueryOptions({
    queryKey: [...key, 'list', outcome],
    queryFn: ({ pageParam, signal }) => call(firstAnswers.list, { query: { outcome, after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchOnMount: 'always',
  })
}

/** How the conversations of the last 30 days ended. */
export const answerFiguresQuery = queryOptions({
  queryKey: [...key, 'figures'],
  queryFn: async ({ signal }) => (await call(firstAnswers.figures, { signal })).data,
  refetchOnMount: 'always',
})

/** What the assistant would answer in an inbox. Nothing is stored. */
export async function tryQuestion(inbox_id: string, question: string) {
  return (await call(firstAnswers.tryOut, { body: { inbox_id, question } })).data
}
