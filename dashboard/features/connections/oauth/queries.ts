import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type AppVendor, type IntegrationAppDraft, integrationApps, oauth } from '#contract/connections/oauth.ts'
import { call } from '../../../platform/http/api.ts'
import { integrationKeys } from '../authorizations/keys.ts'

const key = (vendor: AppVendor) => ['integration-apps', vendor] as const

/** The vendor's OAuth app. */
export const appQuery = (vendor: AppVendor) =>
  queryOptions({
    queryKey: key(vendor),
    queryFn: async ({ signal }) => (await call(integrationApps.get, { params: { vendor }, signal })).data,
    refetchOnMount: 'always',
  })

export async function saveApp(client: QueryClient, vendor: AppVendor, app: IntegrationAppDraft): Promise<void> {
  const { data } = await call(integrationApps.save, { params: { vendor }, body: { app } })
  client.setQueryData(key(vendor), data)
}

export async function removeApp(client: QueryClient, vendor: AppVendor): Promise<void> {
  await call(integrationApps.remove, { params: { vendor } })
  await client.invalidateQueries({ queryKey: key(vendor) })
}

/** Finishes a connection with the parameters of the redirect, which can only be used once. */
export async function finishOAuth(client: QueryClient, query: URLSearchParams) {
  const { data } = await call(oauth.finish, { body: { state: 'none', ...Object.fromEntries(query) } })
  await client.invalidateQueries({ queryKey: integrationKeys.list })
  return data
}
