import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { HeardEvent } from '#contract/events.ts'
import { type Rating, ratings } from '#contract/ratings.ts'
import { call } from '../../api.ts'

const KEY = ['ratings'] as const

/** What the customer thought of one conversation; events keep it right while it is known. */
export function ratingQuery(conversation_id: string) {
  return queryOptions({
    queryKey: [...KEY, conversation_id],
    queryFn: async ({ signal }): Promise<Rating | null> =>
      (await call(ratings.get, { params: { id: conversation_id }, signal })).data,
    staleTime: 60_000,
  })
}

export function hearRating(client: QueryClient, { event, payload }: HeardEvent) {
  if (event === 'conversation:rated') client.setQueryData([...KEY, payload.conversation_id], payload)
}
