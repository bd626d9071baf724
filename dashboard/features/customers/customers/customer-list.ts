import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { customerProfiles, type SavedFilter } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import { call } from '../../../platform/http/api.ts'
import { customerKeys } from './keys.ts'
import { applyCustomerEvent } from './queries.ts'

export type CustomerListQuery = NonNullable<QueryInput<typeof customerProfiles.list>>

/** One page of filtered customers. Refetched on events, showing the previous page meanwhile. */
export function customerListQuery(query: CustomerListQuery) {
  return queryOptions({
    queryKey: customerKeys.list(query),
    queryFn: ({ signal }) => call(customerProfiles.list, { query, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })
}

interface NewCustomer {
  name: string
  email: string
  phone: string
}

export async function createCustomer(client: QueryClient, { name, email, phone }: NewCustomer): Promise<void> {
  const customer = { name: name.trim(), email: email.trim(), ...(phone.trim() && { phone: phone.trim() }) }
  const { data } = await call(customers.create, { body: { customer } })
  applyCustomerEvent(client, { event: 'customer:updated', payload: data })
  await client.invalidateQueries({ queryKey: customerKeys.lists })
}

export const savedFiltersQuery = queryOptions({
  queryKey: customerKeys.filters,
  queryFn: async ({ signal }) => (await call(customerProfiles.listFilters, { signal })).data,
  staleTime: 0,
})

/** Saves a filter for the whole team; one with the same name is replaced. */
export async function saveFilter(client: QueryClient, name: string, query: Record<string, string>): Promise<void> {
  const { data } = await call(customerProfiles.saveFilter, { body: { customer_filter: { name, query } } })
  client.setQueryData(savedFiltersQuery.queryKey, (filters = []) =>
    [...filters.filter(({ id }) => id !== data.id), data].sort((a, b) => a.name.localeCompare(b.name)),
  )
}

export async function removeFilter(client: QueryClient, { id }: SavedFilter): Promise<void> {
  await call(customerProfiles.removeFilter, { params: { id } })
  client.setQueryData(savedFiltersQuery.queryKey, (filters) => filters?.filter((filter) => filter.id !== id))
}

/** Merges a duplicate into a customer. */
export async function mergeCustomer(client: QueryClient, id: string, duplicate_id: string): Promise<void> {
  await call(customerProfiles.merge, { params: { id }, body: { customer_id: duplicate_id } })
  await refetch(client)
}

/** Undoes the latest merge into a customer. */
export async function unmergeCustomer(client: QueryClient, id: string): Promise<void> {
  await call(customerProfiles.unmerge, { params: { id } })
  await refetch(client)
}

async function refetch(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: customerKeys.all }),
    client.invalidateQueries({ queryKey: ['conversations', 'of'] }),
  ])
}
