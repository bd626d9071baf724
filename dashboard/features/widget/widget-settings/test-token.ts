import { queryOptions } from '@tanstack/react-query'
import { customers } from '#contract/customers/customers.ts'
import { call } from '../../../platform/http/api.ts'

/** The token with which a chat window starts test conversations, valid for a day. */
export const testTokenQuery = queryOptions({
  queryKey: ['test token'],
  queryFn: async ({ signal }) => (await call(customers.testToken, { signal })).data.test_token,
  refetchOnMount: 'always',
})
