import * as client from 'openid-client'
import { Refusal } from '../../errors.ts'
import { type Outbound, OutboundFailed } from '../../platform/outbound/outbound.ts'

export interface OidcSettings {
  issuer: string
  client_id: string
  client_secret: string
  redirect_uri: string
}

/** What has to be remembered until the browser returns from the sign-in service. */
export interface SignInRequest {
  state: string
  nonce: string
  verifier: string
}

const REDISCOVER_MS = 3_600_000
const CLOCK_TOLERANCE_S = 30

/** One sign-in service, spoken to as OpenID Connect has it: authorization code with PKCE, signed ID token. */
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

    /** Where to send the browser. */
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

    /** Who came back. Throws Refusal when the service or its answer cannot be trusted. */
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
    // The path is named, because people write the issuer with a slash at its end or without.
    new URL(`${root}/.well-known/openid-configuration`),
    client_id,
    { [client.clockTolerance]: CLOCK_TOLERANCE_S },
    client.ClientSecretBasic(client_secret),
    {
      [client.customFetch]: through(outbound),
      // A service in the same private network may go without. Signatures of ID tokens are checked in any case.
      execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
    },
  )
  if (withoutSlash(configuration.serverMetadata().issuer) !== root) {
    throw new Refusal(502, 'The sign-in service calls itself by another address than OIDC_ISSUER.', 'untrusted')
  }
  return configuration
}

const withoutSlash = (address: string) => address.replace(/\/$/, '')

/** The operator names the service, and the service its own addresses; it often stands in a private network. */
function through(outbound: Outbound): client.CustomFetch {
  return async (url, { method, headers, body }) => {
    const given = body === undefined || body === null ? {} : { body: String(body) }
    const { bytes, ...answer } = await outbound.request(url, { method, headers, ...given, may_be_private: true })
    return new Response(new Uint8Array(bytes), answer)
  }
}

/** Not reached, or not believed. */
function explain(error: unknown): unknown {
  if (error instanceof Refusal) return error
  const isUnreachable =
    error instanceof OutboundFailed ||
    (error instanceof client.ClientError && error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM')
  if (isUnreachable || error instanceof client.ResponseBodyError) {
    return new Refusal(502, 'The sign-in service cannot be reached. Try again in a moment.', 'unreachable')
  }
  if (error instanceof client.ClientError) {
    return new Refusal(502, 'The sign-in service sent an answer that is not its own.', 'untrusted')
  }
  return error
}
