import type { QueryClient } from '@tanstack/react-query'
import { hubspot } from '#contract/integrations/hubspot.ts'
import { intercom } from '#contract/integrations/intercom.ts'
import { call } from '../../../platform/http/api.ts'
import { integrationKeys } from '../authorizations/keys.ts'
import type { Directory } from '../directory-links/queries.ts'

const CALLS = { hubspot, intercom }

/** Connects with an API token of the vendor. Throws with the vendor's message. */
export async function connectWithToken(client: QueryClient, vendor: Directory, access_token: string): Promise<void> {
  await call(CALLS[vendor].connect, { body: { authorization: { access_token } } })
  await client.invalidateQueries({ queryKey: integrationKeys.list })
}
