import type { QueryClient } from '@tanstack/react-query'
import type { ClientEvent } from '#contract/events.ts'
import type { PresenceDiff } from '../../../../platform/realtime/presence.ts'
import type { CustomerListQuery } from '../customer-list.ts'
import { customerKeys } from '../keys.ts'

/** Many visitors may arrive at once, so lists are refetched once for all in this time. */
export const ARRIVALS_MS = 3_000

let _timer: ReturnType<typeof setTimeout> | undefined

/** A new conversation may come from a new customer. */
export function applyArrival(client: QueryClient, { event }: ClientEvent) {
  if (event === 'conversation:created') expectArrivals(client)
}

/** Customers came online or left; those online are listed first. */
export function applyPresence(client: QueryClient, { joins, leaves }: PresenceDiff) {
  const keys = [...Object.keys(joins), ...Object.keys(leaves)]
  if (keys.some((key) => key.startsWith('customer:'))) expectArrivals(client)
}

function expectArrivals(client: QueryClient) {
  _timer ??= setTimeout(() => {
    _timer = undefined
    if (isBeingRead()) return expectArrivals(client)
    void client.invalidateQueries({
      queryKey: customerKeys.lists,
      predicate: ({ queryKey }) => isFirstPage(queryKey),
    })
  }, ARRIVALS_MS)
}

/** Only the first page is refetched; on later pages rows should not move. */
function isFirstPage([, , query]: readonly unknown[]): boolean {
  return !(query as CustomerListQuery).page
}

/** Whether refetching would move rows under the pointer, or while the list is scrolled. */
function isBeingRead(): boolean {
  const table = globalThis.document?.querySelector('main table')
  return !!table && (table.matches(':hover, :focus-within') || table.getBoundingClientRect().top < 0)
}
