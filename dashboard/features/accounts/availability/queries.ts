import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Availability, availability } from '#contract/accounts/availability.ts'
import type { ClientEvent } from '#contract/events.ts'
import { call } from '../../../platform/http/api.ts'

/** Who is away. */
export const availabilityQuery = queryOptions({
  queryKey: ['availability'],
  queryFn: async ({ signal }) => (await call(availability.list, { signal })).data,
})

/** Sets whether the signed-in user is away. */
export async function setAway(client: QueryClient, away: boolean): Promise<void> {
  const { data } = await call(availability.update, { body: { availability: { away } } })
  storeAvailability(client, data)
}

/** Somebody came, went away or came back. */
export function applyAvailabilityEvent(client: QueryClient, event: ClientEvent) {
  if (event.event === 'availability:updated') storeAvailability(client, event.payload)
}

/** Whether a user said that they are away. */
export function isAway(list: readonly Availability[] | undefined, user_id: number): boolean {
  return !!list?.find((entry) => entry.user_id === user_id)?.away_at
}

function storeAvailability(client: QueryClient, changed: Availability) {
  client.setQueryData(
    availabilityQuery.queryKey,
    (list) => list && [...list.filter(({ user_id }) => user_id !== changed.user_id), changed],
  )
}
