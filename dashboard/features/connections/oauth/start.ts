import type { IntegrationName } from '#contract/connections/integrations.ts'
import { type OAuthType, oauth } from '#contract/connections/oauth.ts'
import { call } from '../../../platform/http/api.ts'
import { CATALOGUE, pathOf } from '../integrations/catalogue.ts'

/** What a consent page is opened for. */
export interface ConsentRequest {
  integration: IntegrationName
  type?: OAuthType
  inbox_id?: string | null
}

const KEY = 'parley.oauth'

/** Opens the consent page of a vendor. */
export async function startOAuth(request: ConsentRequest): Promise<void> {
  const { data } = await call(oauth.start, { body: request })
  remember({ ...request, state: data.state })
  location.assign(data.url)
}

/** Stores where to return after a failure. The server verifies that the result belongs to this user. */
function remember(request: ConsentRequest & { state: string }): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(request))
  } catch {
    // Without storage, the list of integrations is shown instead.
  }
}

/** The consent request with this state, if this tab started it. */
export function rememberedRequest(state: string | null): ConsentRequest | undefined {
  try {
    const request = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return request?.state === state ? request : undefined
  } catch {
    return undefined
  }
}

/** The settings page of a request's integration. */
export function pageOf({ integration, type, inbox_id }: ConsentRequest): string {
  if (type === 'personal') return '/settings/profile'
  const entry = CATALOGUE.find((item) => item.integration === integration)
  return entry ? pathOf(entry, inbox_id ?? undefined) : '/integrations'
}
