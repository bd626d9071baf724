import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Waits for a write and refetches the affected queries, also after a failure: the write may have succeeded without a
 * response, or been refused because the screen was outdated.
 */
export async function refreshAfter(write: Promise<unknown>, client: QueryClient, queryKey: QueryKey): Promise<void> {
  await write.finally(() => client.invalidateQueries({ queryKey }))
}
