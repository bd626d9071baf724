import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type WhatsappDraft, whatsapp } from '#contract/integrations/whatsapp.ts'
import { integrationKeys } from '../../features/connections/authorizations/keys.ts'
import { call } from '../../platform/http/api.ts'

/** The WhatsApp number of an inbox, the primary one by default, and where Meta would call. */
export const whatsappQuery = (inbox_id?: string) =>
  queryOptions({
    queryKey: [...integrationKeys.list, 'whatsapp', inbox_id],
    queryFn: async ({ signal }) =>
      (await call(whatsapp.get, { query: { ...(inbox_id && { inbox_id }) }, signal })).data,
    refetchOnMount: 'always',
  })

/** Connects a number, or changes its settings. */
export async function saveWhatsapp(client: QueryClient, authorization: WhatsappDraft): Promise<void> {
  await call(whatsapp.connect, { body: { authorization } })
  await client.invalidateQueries({ queryKey: integrationKeys.list })
}
