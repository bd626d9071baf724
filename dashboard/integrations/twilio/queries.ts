import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type ServiceRefusal, type TwilioDraft, twilio, type WhatsappRefusal } from '#contract/integrations/twilio.ts'
import { integrationKeys } from '../../features/connections/authorizations/keys.ts'
import { call } from '../../platform/http/api.ts'

/** The Twilio number of an inbox, the primary one by default, or null. */
export const twilioQuery = (inbox_id?: string) =>
  queryOptions({
    queryKey: [...integrationKeys.list, 'twilio', inbox_id],
    queryFn: async ({ signal }) => (await call(twilio.get, { query: { ...(inbox_id && { inbox_id }) }, signal })).data,
    refetchOnMount: 'always',
  })

/** Why Twilio refused a connection. */
export interface Refusal {
  error: string
  service_refusal?: ServiceRefusal | undefined
  whatsapp_refusal?: WhatsappRefusal | undefined
}

/** Connects a number, or changes its settings. Returns Twilio's refusal, if any. */
export async function saveTwilio(client: QueryClient, authorization: TwilioDraft): Promise<Refusal | undefined> {
  const { data } = await call(twilio.connect, { body: { authorization } })
  if (!data.ok) return data
  await client.invalidateQueries({ queryKey: integrationKeys.list })
  return undefined
}
