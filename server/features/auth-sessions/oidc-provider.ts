import { createHash, randomBytes } from 'node:crypto'
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { Refusal } from '../../errors.ts'

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

const TIMEOUT_MS = 10_000
const REDISCOVER_MS = 3_600_000

/** One sign-in service, spoken to as OpenID Connect has it: authorization code with PKCE, signed ID token. */
export function createProvider(settings: OidcSettings) {
  let known: { at: number; discovered: Promise<Discovered> } | undefined
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined

  async function discover(): Promise<Discovered> {
    if (!known || Date.now() - known.at > REDISCOVER_MS)
      known = { at: Date.now(), discovered: fetchDiscovery(settings.issuer) }
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
      keys ??= createRemoteJWKSet(new URL(found.jwks_uri), { timeoutDuration: TIMEOUT_MS })
      const id_token = await fetchIdToken(found.token_endpoint, settings, code, verifier)
      const { payload } = await jwtVerify(id_token, keys, {
        issuer: found.issuer,
        audience: settings.client_id,
        clockTolerance: 30,
        requiredClaims: ['sub', 'exp', 'iat'],
      }).catch(() => {
        throw new Refusal(502, 'The sign-in service sent an answer that is not its own.')
      })
      if (payload.nonce !== nonce) throw new Refusal(502, 'The sign-in service answered somebody else’s question.')
      return payload
    },
  }
}

export type Provider = ReturnType<typeof createProvider>

async function fetchDiscovery(issuer: string): Promise<Discovered> {
  const found = await fetchJson<Discovered>(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  if (found.issuer.replace(/\/$/, '') !== issuer.replace(/\/$/, '')) {
    throw new Refusal(502, 'The sign-in service calls itself by another address than OIDC_ISSUER.')
  }
  return found
}

async function fetchIdToken(
  token_endpoint: string,
  { client_id, client_secret, redirect_uri }: OidcSettings,
  code: string,
  code_verifier: string,
): Promise<string> {
  const basic = Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString('base64')
  const { id_token } = await fetchJson<{ id_token?: string }>(token_endpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri, code_verifier, client_id }),
  })
  if (!id_token) throw new Refusal(502, 'The sign-in service did not say who you are.')
  return id_token
}

async function fetchJson<Answer>(address: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(address, {
    ...init,
    headers: { accept: 'application/json', ...init.headers },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined)
  if (!answer?.ok) throw new Refusal(502, 'The sign-in service cannot be reached. Try again in a moment.')
  return (await answer.json()) as Answer
}

function random(): string {
  return randomBytes(32).toString('base64url')
}
