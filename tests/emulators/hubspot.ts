import { goBack, startVendor, type Vendor, type VendorAnswer, type VendorRequest } from './vendor.ts'

interface HubspotContact {
  id: string
  properties: Record<string, string>
  createdAt: string
  updatedAt: string
  archived: boolean
}

export interface Hubspot extends Vendor {
  contacts: HubspotContact[]
  /** Settings of a server that uses it. */
  settings: Record<string, string>
  /** A code such as the consent page returns. */
  consent(): string
  /** Whether people refuse on the consent page. */
  refuseConsent(refuses: boolean): void
  /** Issued tokens that are valid. */
  tokens: Set<string>
  /** Invalidates all tokens and grants issued so far. */
  revokeAll(): void
  /** Lifetime of access tokens issued from now on. */
  setLifetime(seconds: number): void
}

/** A service key that a person has created at HubSpot. */
export const SERVICE_KEY = 'pat-eu1-a-key-of-the-tests'
const PORTAL = 62_515

/** HubSpot's contacts and tokens, with faults on demand. */
export async function startHubspot(): Promise<Hubspot> {
  const contacts: HubspotContact[] = []
  const tokens = new Set([SERVICE_KEY])
  const codes = new Set<string>()
  const grants = new Set<string>()
  let [made, lifetime, refuses] = [0, 1800, false]

  function consent(): string {
    const code = `code-${++made}`
    codes.add(code)
    return code
  }

  function grantTokens(): VendorAnswer {
    const [access_token, refresh_token] = [`access-${++made}`, [...grants][0] ?? 'grant-1']
    tokens.add(access_token)
    grants.add(refresh_token)
    return { body: { access_token, refresh_token, expires_in: lifetime, token_type: 'bearer', hub_id: PORTAL } }
  }

  function token({ body }: VendorRequest): VendorAnswer {
    if (body.client_secret !== SECRET)
      return { status: 401, body: { status: 'BAD_CLIENT_SECRET', message: 'Bad secret' } }
    if (body.grant_type === 'authorization_code' && codes.delete(String(body.code))) return grantTokens()
    if (body.grant_type === 'refresh_token' && grants.has(String(body.refresh_token))) return grantTokens()
    const isRefresh = body.grant_type === 'refresh_token'
    return {
      status: 400,
      body: {
        status: isRefresh ? 'BAD_REFRESH_TOKEN' : 'BAD_AUTH_CODE',
        message: isRefresh ? 'missing or invalid refresh token' : 'missing or unknown auth code',
      },
    }
  }

  function create({ body }: VendorRequest): VendorAnswer {
    const properties = body.properties as Record<string, string>
    const existing = contacts.find((candidate) => candidate.properties.email === properties.email)
    if (existing) {
      const message = `Contact already exists. Existing ID: ${existing.id}`
      return { status: 409, body: { status: 'error', message, category: 'CONFLICT' } }
    }
    const now = new Date().toISOString()
    const contact = { id: String(1000 + ++made), properties, createdAt: now, updatedAt: now, archived: false }
    contacts.push(contact)
    return { status: 201, body: contact }
  }

  function search({ body }: VendorRequest): VendorAnswer {
    const [group] = (body.filterGroups ?? []) as { filters: { propertyName: string; value: string }[] }[]
    const results = contacts.filter(({ properties }) =>
      (group?.filters ?? []).every(({ propertyName, value }) => properties[propertyName] === value),
    )
    return { body: { total: results.length, results } }
  }

  const vendor = await startVendor((request) => {
    const { method, path } = request
    if (path === '/oauth/authorize') return goBack(request, refuses ? { error: 'access_denied' } : { code: consent() })
    if (path === '/oauth/2026-03/token') return token(request)
    if (path === '/oauth/2026-03/token/revoke') {
      grants.delete(String(request.body.token))
      return { status: 204 }
    }
    if (!tokens.has(request.token ?? '')) {
      const category = 'EXPIRED_AUTHENTICATION'
      return {
        status: 401,
        body: { status: 'error', message: 'The OAuth token used to make this call expired', category },
      }
    }
    if (path === '/account-info/v3/details') return { body: { portalId: PORTAL, uiDomain: 'app.hubspot.com' } }
    if (method === 'POST' && path === CONTACTS) return create(request)
    if (method === 'POST' && path === `${CONTACTS}/search`) return search(request)
    if (method === 'GET' && path === CONTACTS) return { body: { results: contacts } }
    const email = decodeURIComponent(path.slice(CONTACTS.length + 1))
    const contact = contacts.find(({ id, properties }) => id === email || properties.email === email)
    return contact ? { body: contact } : { status: 404, body: { status: 'error', message: 'resource not found' } }
  })
  return {
    ...vendor,
    contacts,
    tokens,
    settings: {
      HUBSPOT_URL: vendor.url,
      HUBSPOT_API_URL: vendor.url,
      HUBSPOT_CLIENT_ID: 'hubspot-app',
      HUBSPOT_CLIENT_SECRET: SECRET,
    },
    consent,
    refuseConsent(refusal) {
      refuses = refusal
    },
    revokeAll() {
      tokens.clear()
      grants.clear()
    },
    setLifetime(seconds) {
      lifetime = seconds
    },
  }
}

const CONTACTS = '/crm/v3/objects/contacts'
const SECRET = 'the secret of the app at HubSpot'
