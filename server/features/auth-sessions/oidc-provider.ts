import { createHash, randomBytes } from 'node:crypto'
import { createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from 'jose'
import { Refusal } from '../../errors.ts'
import type { Outbound, OutboundRequest } from '../../platform/outbound/outbound.ts'

export interface OidcSettings {
  issuer: string
  client_id: string
  client_secret: string
  redirect_uri: string
}

/** What must come back with the browser, or be known when it does. */
export interface Errand {
  state: string
  nonce: string
  verifier: string
}

interface Discovered {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  jwks_uri: string
}

const REDISCOVER_MS = 3_600_000
/** The operator names the service, and the service its own addresses; it often stands in a private network. */
const FROM_SETTINGS = { may_be_private: true }

/** One sign-in service, spoken to as OpenID Connect has it: authorization code with PKCE, signed ID token. */
export function createProvider(settings: OidcSettings, outbound: Outbound) {
  let known: { at: number; discovered: Promise<Discovered> } | undefined
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined

  async function discover(): Promise<Discovered> {
    if (!known || Date.now() - known.at > REDISCOVER_MS)
      known = { at: Date.now(), discovered: fetchDiscovery(outbound, settings.issuer) }
    return known.discovered.catch((error) => {
      known = undefined
      throw error
    })
  }

  return {
    newErrand: (): Errand => ({ state: random(), nonce: random(), verifier: random() }),

    /** Where to send the browser. */
    async addressFor({ state, nonce, verifier }: Errand): Promise<string> {
      const address = new URL((await discover()).authorization_endpoint)
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      for (const [name, value] of Object.entries({
        response_type: 'code',
        client_id: settings.client_id,
        redirect_uri: settings.redirect_uri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      })) {
        address.searchParams.set(name, value)
      }
      return address.href
    },

    /** Who came back. Throws Refusal when the service or its answer cannot be trusted. */
    async redeem(code: string, { nonce, verifier }: Errand): Promise<JWTPayload> {
      const found = await discover()
      keys ??= createRemoteJWKSet(new URL(found.jwks_uri), { [customFetch]: (url) => fetchKeys(outbound, url) })
      const id_token = await fetchIdToken(outbound, found.token_endpoint, settings, code, verifier)
      const { payload } = await jwtVerify(id_token, keys, {
        issuer: found.issuer,
        audience: settings.client_id,
        clockTolerance: 30,
        requiredClaims: ['sub', 'exp', 'iat'],
      }).catch(() => {
        throw new Refusal(502, 'The sign-in service sent an answer that is not its own.', 'untrusted')
      })
      if (payload.nonce !== nonce)
        throw new Refusal(502, 'The sign-in service answered somebody else’s question.', 'untrusted')
      return payload
    },
  }
}

export type Provider = ReturnType<typeof createProvider>

async function fetchDiscovery(outbound: Outbound, issuer: string): Promise<Discovered> {
  const found = await fetchJson<Discovered>(outbound, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  if (found.issuer.replace(/\/$/, '') !== issuer.replace(/\/$/, '')) {
    throw new Refusal(502, 'The sign-in service calls itself by another address than OIDC_ISSUER.', 'untrusted')
  }
  return found
}

async function fetchIdToken(
  outbound: Outbound,
  token_endpoint: string,
  { client_id, client_secret, redirect_uri }: OidcSettings,
  code: string,
  code_verifier: string,
): Promise<string> {
  const basic = Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString('base64')
  const { id_token } = await fetchJson<{ id_token?: string }>(outbound, token_endpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri, code_verifier, client_id }),
  })
  if (!id_token) throw new Refusal(502, 'The sign-in service did not say who you are.', 'untrusted')
  return id_token
}

async function fetchKeys(outbound: Outbound, url: string): Promise<Response> {
  const { bytes, status } = await outbound.request(url, FROM_SETTINGS)
  return new Response(new Uint8Array(bytes), { status })
}

async function fetchJson<Answer>(outbound: Outbound, address: string, request: OutboundRequest = {}): Promise<Answer> {
  const headers = { accept: 'application/json', ...request.headers }
  try {
    const { ok, bytes } = await outbound.request(address, { ...request, ...FROM_SETTINGS, headers })
    if (ok) return JSON.parse(bytes.toString())
  } catch {
    // Not reached, or not understood: all the same to whoever wants to sign in.
  }
  throw new Refusal(502, 'The sign-in service cannot be reached. Try again in a moment.', 'unreachable')
}

function random(): string {
  return randomBytes(32).toString('base64url')
}
