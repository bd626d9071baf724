import type { QueryClient } from '@tanstack/react-query'
import type { ClientEvent } from '#contract/events.ts'
import type { PresenceDiff } from '../../../platform/realtime/presence.ts'
import type { CustomerListQuery } from '../customer-list.ts'
import { customerKeys } from '../keys.ts'

/** Visitors come by the hundred, so lists of customers are asked for once for all who came in this time. */
export const ARRIVALS_MS = 3_000

let _timer: ReturnType<typeof setTimeout> | undefined

/** Somebody new wrote. */
export function applyArrival(client: QueryClient, { event }: ClientEvent) {
  if (event === 'conversation:created') expectArrivals(client)
}

/** Customers came online or left; who is online stands first. */
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

/** Newcomers stand on the first page; somebody who reads further down is not told of them. */
function isFirstPage([, , query]: readonly unknown[]): boolean {
  return !(query as CustomerListQuery).page
}

/** Whether rows would move away under a pointer, or above the words that somebody looks at. */
function isBeingRead(): boolean {
  const table = globalThis.document?.querySelector('main table')
  return !!table && (table.matches(':hover, :focus-within') || table.getBoundingClientRect().top < 0)
}
