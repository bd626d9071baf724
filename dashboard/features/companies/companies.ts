import { queryOptions } from '@tanstack/react-query'
import { companies } from '#contract/companies.ts'
import { call } from '../../api.ts'

/** All companies by name. */
export const companiesQuery = queryOptions({
  queryKey: ['companies'],
  queryFn: async ({ signal }) => (await call(companies.list, { signal })).data,
  refetchOnMount: 'always',
})
