import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Rating, ratings } from '#contract/conversations/ratings.ts'
import type { ClientEvent } from '#contract/events.ts'
import { call } from '../../../platform/http/api.ts'
import { eventsSince, position } from '../../../platform/realtime/event-buffer.ts'

const KEY = ['ratings'] as const

/** The customer's rating of a conversation, updated by events while it is cached. */
export function ratingQuery(conversation_id: string) {
  return queryOptions({
    queryKey: [...KEY, conversation_id],
    queryFn: async ({ signal }): Promise<Rating | null> => {
      const since = position()
      const { data } = await call(ratings.get, { params: { id: conversation_id }, signal })
      // Events that arrived while loading are newer than the response.
      return eventsSince(since).reduce((rating, event) => applyToRating(rating, event, conversation_id), data)
    },
    staleTime: 60_000,
  })
}

/** Applies an event to the rating of a conversation. */
export function applyToRating(
  rating: Rating | null,
  { event, payload }: ClientEvent,
  conversation_id: string,
): Rating | null {
  return event === 'conversation:rated' && payload.conversation_id === conversation_id ? payload : rating
}

export function applyRatingEvent(client: QueryClient, { event, payload }: ClientEvent) {
  if (event === 'conversation:rated') client.setQueryData([...KEY, payload.conversation_id], payload)
}
