import { useQuery } from '@tanstack/react-query'
import { type Customer, customers, type PageVisit } from '#contract/customers/customers.ts'
import { call } from '../../../../platform/http/api.ts'
import { useDelayPassed } from '../../../../ui/DelayedFallback.tsx'

const NOWHERE: readonly PageVisit[] = []

/**
 * The pages that a customer has visited since their first conversation, oldest first, up to the current one. The query
 * key contains the current page, so each visit causes a refetch.
 */
export function usePageVisits({ id, current_url }: Pick<Customer, 'id' | 'current_url'>): readonly PageVisit[] {
  const { data = NOWHERE } = useQuery({
    queryKey: ['page-visits', id, current_url],
    queryFn: async ({ signal }) => (await call(customers.pageVisits, { params: { id }, signal })).data,
    enabled: useDelayPassed(),
    // Returning to an earlier page gives the same key, but more visits.
    staleTime: 0,
    placeholderData: (before, query) => (query?.queryKey[1] === id ? before : undefined),
  })
  return data
}
