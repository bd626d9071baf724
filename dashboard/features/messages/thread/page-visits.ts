import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type Customer, customers, type PageVisit } from '#contract/customers.ts'
import { call } from '../../../platform/http/api.ts'
import { useDelayPassed } from '../../../ui/DelayedFallback.tsx'

const NOWHERE: readonly PageVisit[] = []

/** Where a customer has been since their first conversation, oldest first, and where they go now. */
export function usePageVisits({ id, current_url }: Pick<Customer, 'id' | 'current_url'>): readonly PageVisit[] {
  const client = useQueryClient()
  const { data = NOWHERE } = useQuery({
    queryKey: ['page-visits', id],
    queryFn: async ({ signal }) => (await call(customers.pageVisits, { params: { id }, signal })).data,
    enabled: useDelayPassed(),
  })
  const known = useRef(current_url)
  useEffect(() => {
    if (current_url === known.current) return
    known.current = current_url
    client.invalidateQueries({ queryKey: ['page-visits', id] })
  }, [client, id, current_url])
  return data
}
