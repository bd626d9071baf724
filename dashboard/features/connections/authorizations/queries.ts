import { queryOptions } from '@tanstack/react-query'
import { integrations } from '#contract/connections/integrations.ts'
import { forwardingAddresses } from '#contract/mail/forwarding-addresses.ts'
import { call } from '../../../platform/http/api.ts'
import { integrationKeys } from './keys.ts'

/** All connections, oldest first. */
export const integrationsQuery = queryOptions({
  queryKey: integrationKeys.list,
  queryFn: ({ signal }) => call(integrations.list, { signal }),
  refetchOnMount: 'always',
})

/** Forwarding addresses, which are not in the list of connections. */
export const forwardingQuery = queryOptions({
  queryKey: [...integrationKeys.list, 'forwarding'],
  queryFn: async ({ signal }) => (await call(forwardingAddresses.list, { signal })).data,
  refetchOnMount: 'always',
})
