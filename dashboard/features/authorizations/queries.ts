import { queryOptions } from '@tanstack/react-query'
import { forwardingAddresses } from '#contract/forwarding-addresses.ts'
import { integrations } from '#contract/integrations.ts'
import { call } from '../../platform/http/api.ts'
import { integrationKeys } from './keys.ts'

/** Everything that is connected, oldest first. */
export const integrationsQuery = queryOptions({
  queryKey: integrationKeys.list,
  queryFn: ({ signal }) => call(integrations.list, { signal }),
  refetchOnMount: 'always',
})

/** The addresses whose mail is forwarded to an inbox. They are no connections of the list. */
export const forwardingQuery = queryOptions({
  queryKey: [...integrationKeys.list, 'forwarding'],
  queryFn: async ({ signal }) => (await call(forwardingAddresses.list, { signal })).data,
  refetchOnMount: 'always',
})
