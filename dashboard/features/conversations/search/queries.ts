import { infiniteQueryOptions } from '@tanstack/react-query'
import { SEARCH_PAGE_SIZE, type SearchHit, search } from '#contract/conversations/search.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '../../../platform/http/api.ts'
import { searchKeys } from './keys.ts'

interface FoundPage {
  hits: SearchHit[]
  next: string | null
}

/** After this many requests a page is shown even if it is short; the rest is loaded on request. */
const MAX_REQUESTS = 12

/**
 * Search results in pages. The server searches a limited stretch per request, so short answers are followed by further
 * requests.
 */
export function foundQuery(q: string) {
  return infiniteQueryOptions({
    queryKey: searchKeys.results(q),
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<FoundPage> => {
      let hits: SearchHit[] = []
      let next: string | null | undefined = pageParam
      for (let step = 0; step < MAX_REQUESTS; step++) {
        const page: Answer<typeof search.find> = await call(search.find, {
          query: { q, after: next ?? undefined },
          signal,
        })
        hits = [...hits, ...page.data]
        next = page.next
        if (!next || hits.length >= SEARCH_PAGE_SIZE) break
      }
      return { hits, next: next ?? null }
    },
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: 0,
    gcTime: 60_000,
  })
}
