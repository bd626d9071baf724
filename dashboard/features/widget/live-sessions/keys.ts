/** Query keys of live sessions. */
export const sessionKeys = {
  all: ['browser-sessions'] as const,
  detail: (id: string) => ['browser-sessions', 'one', id] as const,
  several: (ids: readonly string[]) => ['browser-sessions', 'several', ids] as const,
  ofCustomer: (customer_id: string) => ['browser-sessions', 'customer', customer_id] as const,
  newest: ['browser-sessions', 'newest'] as const,
}
