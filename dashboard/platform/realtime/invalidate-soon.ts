import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** A busy account has many events in a row; a list is asked for once for all of them. */
const WAIT_MS = 400
/** A query that does not answer holds up the others for so long at most. */
const LONGEST_MS = 5_000

const waiting = new Map<string, QueryKey>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Asks again, in a moment, for what is cached under these keys. What is shown stays until the answer is there. */
export function invalidateSoon(client: QueryClient, keys: readonly QueryKey[]) {
  for (const key of keys) waiting.set(JSON.stringify(key), key)
  if (keys.length > 0 && !timer) timer = setTimeout(() => invalidate(client), WAIT_MS)
}

/** The next round waits for the answers of this one: else a query that is slow to answer would be cancelled again and again. */
async function invalidate(client: QueryClient) {
  const asked = [...waiting.values()].map((queryKey) => askAgain(client, queryKey))
  waiting.clear()
  await Promise.race([Promise.all(asked), new Promise((done) => setTimeout(done, LONGEST_MS))])
  timer = waiting.size > 0 ? setTimeout(() => invalidate(client), WAIT_MS) : undefined
}

/** The library does not ask again while a first answer is on its way, and that may be of before the event. */
async function askAgain(client: QueryClient, queryKey: QueryKey) {
  const loading = client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })
  const first = loading.filter(({ state }) => state.data === undefined)
  await client.invalidateQueries({ queryKey })
  await Promise.allSettled(first.map(({ promise }) => promise))
  await Promise.all(first.map((query) => client.invalidateQueries({ queryKey: query.queryKey, exact: true })))
}
