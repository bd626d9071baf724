import { useQuery } from '@tanstack/react-query'
import { type Customer, customers, type PageVisit } from '#contract/customers.ts'
import { call } from '../../../platform/http/api.ts'
import { useDelayPassed } from '../../../ui/DelayedFallback.tsx'

const NOWHERE: readonly PageVisit[] = []

/**
 * Where a customer has been since their first conversation, oldest first, and where they go now. Asked for anew with each
 * page they go to: an answer that is still on its way then is of before.
 */
export function usePageVisits({ id, current_url }: Pick<Customer, 'id' | 'current_url'>): readonly PageVisit[] {
  const { data = NOWHERE } = useQuery({
    queryKey: ['page-visits', id, current_url],
    queryFn: async ({ signal }) => (await call(customers.pageVisits, { params: { id }, signal })).data,
    enabled: useDelayPassed(),
    // They may have been elsewhere since, and be back.
    staleTime: 0,
    placeholderData: (before, query) => (query?.queryKey[1] === id ? before : undefined),
  })
  return data
}
