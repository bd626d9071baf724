import type { IntegrationName } from '#contract/integrations.ts'
import { type OAuthType, oauth } from '#contract/oauth.ts'
import { call } from '../../platform/http/api.ts'
import { CATALOGUE, pathOf } from '../integrations/catalogue.ts'

/** What a browser is sent to a consent page for. */
export interface ConsentRequest {
  integration: IntegrationName
  type?: OAuthType
  inbox_id?: string | null
}

const KEY = 'parley.oauth'

/** Sends this browser to the consent page of a vendor. */
export async function startOAuth(request: ConsentRequest): Promise<void> {
  const { data } = await call(oauth.start, { body: request })
  remember({ ...request, state: data.state })
  location.assign(data.url)
}

/** For the way back when it fails. That it belongs to whoever comes back is for the server to know. */
function remember(request: ConsentRequest & { state: string }): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(request))
  } catch {
    // Where nothing may be kept, the way back leads to the list.
  }
}

/** What this tab was sent for with a state, if it was this tab. */
export function rememberedRequest(state: string | null): ConsentRequest | undefined {
  try {
    const request = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return request?.state === state ? request : undefined
  } catch {
    return undefined
  }
}

/** The page on which it is set up. */
export function pageOf({ integration, type, inbox_id }: ConsentRequest): string {
  if (type === 'personal') return '/settings/profile'
  const entry = CATALOGUE.find((one) => one.integration === integration)
  return entry ? pathOf(entry, inbox_id ?? undefined) : '/integrations'
}
