import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Busy accounts have many events in a row, which cause a single refetch. */
const WAIT_MS = 400
/** The longest that a slow query delays the next round. */
const REFETCH_TIMEOUT_MS = 5_000

const waiting = new Map<string, QueryKey>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Refetches the queries under these keys after a short wait. The current data stays on screen meanwhile. */
export function invalidateSoon(client: QueryClient, keys: readonly QueryKey[]) {
  for (const key of keys) waiting.set(JSON.stringify(key), key)
  if (keys.length > 0 && !timer) timer = setTimeout(() => invalidate(client), WAIT_MS)
}

/** The next round waits for these responses; otherwise a slow query would be cancelled again and again. */
async function invalidate(client: QueryClient) {
  const refetches = [...waiting.values()].map((queryKey) => refetch(client, queryKey))
  waiting.clear()
  await Promise.race([Promise.all(refetches), new Promise((done) => setTimeout(done, REFETCH_TIMEOUT_MS))])
  timer = waiting.size > 0 ? setTimeout(() => invalidate(client), WAIT_MS) : undefined
}

/**
 * The library does not refetch a query during its first load, whose response may be older than the event. So it is
 * refetched afterwards.
 */
async function refetch(client: QueryClient, queryKey: QueryKey) {
  const loading = client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })
  const first = loading.filter(({ state }) => state.data === undefined)
  await client.invalidateQueries({ queryKey })
  await Promise.allSettled(first.map(({ promise }) => promise))
  await Promise.all(first.map((query) => client.invalidateQueries({ queryKey: query.queryKey, exact: true })))
}
