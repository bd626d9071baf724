import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type GoogleClient, google } from '#contract/integrations/google.ts'
import { integrationKeys } from '../../features/connections/authorizations/keys.ts'
import { call } from '../../platform/http/api.ts'

/** The Gmail connection of an inbox (the primary one by default) or the Sheets connection, or null. */
export const googleQuery = (client: GoogleClient, inbox_id?: string) =>
  queryOptions({
    queryKey: [...integrationKeys.list, 'google', client, inbox_id],
    queryFn: async ({ signal }) =>
      (await call(google.get, { query: { client, ...(inbox_id && { inbox_id }) }, signal })).data,
    refetchOnMount: 'always',
  })

/** Turns the rows for new customers on or off. */
export async function saveSheets(client: QueryClient, id: string, adds_customers: boolean): Promise<void> {
  await call(google.saveSettings, { params: { id }, body: { settings: { adds_customers } } })
  await client.invalidateQueries({ queryKey: integrationKeys.list })
}
