import * as client from 'openid-client'
import { Refusal } from '../../errors.ts'
import { type Outbound, OutboundFailed } from '../../platform/outbound/outbound.ts'

export interface OidcSettings {
  issuer: string
  client_id: string
  client_secret: string
  redirect_uri: string
}

/** State to remember until the browser returns from the sign-in service. */
export interface SignInRequest {
  state: string
  nonce: string
  verifier: string
}

const REDISCOVER_MS = 3_600_000
const CLOCK_TOLERANCE_S = 30

/** A sign-in service with OpenID Connect: authorization code with PKCE, signed ID token. */
export function createProvider(settings: OidcSettings, outbound: Outbound) {
  let known: { at: number; configuration: Promise<client.Configuration> } | undefined

  async function discover(): Promise<client.Configuration> {
    if (!known || Date.now() - known.at > REDISCOVER_MS)
      known = { at: Date.now(), configuration: configure(settings, outbound) }
    return known.configuration.catch((error) => {
      known = undefined
      throw explain(error)
    })
  }

  return {
    newRequest: (): SignInRequest => ({
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    }),

    /** The address to redirect the browser to. */
    async addressFor({ state, nonce, verifier }: SignInRequest): Promise<string> {
      const address = client.buildAuthorizationUrl(await discover(), {
        redirect_uri: settings.redirect_uri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return address.href
    },

    /** The claims about the returning user. Throws Refusal when the service or its answer cannot be trusted. */
    async redeem(code: string, { state, nonce, verifier }: SignInRequest): Promise<client.IDToken> {
      const configuration = await discover()
      const here = new URL(settings.redirect_uri)
      here.search = new URLSearchParams({ code, state }).toString()
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
      const tokens = await client.authorizationCodeGrant(configuration, here, checks).catch((error) => {
        throw explain(error)
      })
      return tokens.claims()!
    },
  }
}

export type Provider = ReturnType<typeof createProvider>

async function configure({ issuer, client_id, client_secret }: OidcSettings, outbound: Outbound) {
  const root = withoutSlash(issuer)
  const configuration = await client.discovery(
    // With the full path, because the issuer may be configured with or without a trailing slash.
    new URL(`${root}/.well-known/openid-configuration`),
    client_id,
    { [client.clockTolerance]: CLOCK_TOLERANCE_S },
    client.ClientSecretBasic(client_secret),
    {
      [client.customFetch]: fetchThrough(outbound),
      // A service in the same private network may use HTTP. Signatures of ID tokens are checked in any case.
      execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
    },
  )
  if (withoutSlash(configuration.serverMetadata().issuer) !== root) {
    throw new Refusal(
      502,
      'The issuer of the sign-in service is not that of OIDC_ISSUER. Ask the operator of this server to check it.',
      'untrusted',
    )
  }
  return configuration
}

const withoutSlash = (address: string) => address.replace(/\/$/, '')

/** Private networks are allowed: the operator chose the service, and the service its addresses. */
function fetchThrough(outbound: Outbound): client.CustomFetch {
  return async (url, { method, headers, body }) => {
    const options = body === undefined || body === null ? {} : { body: String(body) }
    const { bytes, ...answer } = await outbound.request(url, { method, headers, ...options, may_be_private: true })
    return new Response(new Uint8Array(bytes), answer)
  }
}

/** Not reachable, or not trusted. */
function explain(error: unknown): unknown {
  if (error instanceof Refusal) return error
  const isUnreachable =
    error instanceof OutboundFailed ||
    (error instanceof client.ClientError && error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM')
  if (isUnreachable || error instanceof client.ResponseBodyError) {
    return new Refusal(502, 'The sign-in service cannot be reached. Try again in a moment.', 'unreachable')
  }
  if (error instanceof client.ClientError) {
    return new Refusal(502, 'The response of the sign-in service could not be verified.', 'untrusted')
  }
  return error
}
