import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Waits for a write, and has what it touches asked for again, also when it failed: it may have done its work and lost the
 * answer, or have been refused because what is on screen was old.
 */
export async function refreshAfter(write: Promise<unknown>, client: QueryClient, queryKey: QueryKey): Promise<void> {
  await write.finally(() => client.invalidateQueries({ queryKey }))
}
