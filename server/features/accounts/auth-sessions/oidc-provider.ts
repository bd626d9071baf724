import { compactVerify, createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import * as client from 'openid-client'
import { Refusal } from '../../../errors.ts'
import { type Outbound, OutboundFailed } from '../../../platform/outbound/outbound.ts'

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

/** What the service says about the returning user. Only `sub` is certain to be there. */
export interface PersonClaims {
  sub: string
  email?: unknown
  email_verified?: unknown
  name?: unknown
}

/** A discovered service. */
interface Service {
  configuration: client.Configuration
  /** Its public keys, fetched when a token names one that is not known yet. */
  keys: JWTVerifyGetKey
}

const REDISCOVER_MS = 3_600_000
const CLOCK_TOLERANCE_S = 30
/** Services change their keys at any time, so an unknown key is looked up at once, but not with each sign-in. */
const KEYS_COOLDOWN_MS = 2_000

/** A sign-in service with OpenID Connect: authorization code with PKCE, signed ID token. */
export function createProvider(settings: OidcSettings, outbound: Outbound) {
  let discovered: { at: number; service: Promise<Service> } | undefined

  async function discover(): Promise<Service> {
    if (!discovered || Date.now() - discovered.at > REDISCOVER_MS)
      discovered = { at: Date.now(), service: findService(settings, outbound) }
    return discovered.service.catch((error) => {
      discovered = undefined
      throw explain(error)
    })
  }

  return {
    newRequest: (): SignInRequest => ({
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    }),

    /** The address to redirect the browser to. @throws Refusal */
    async addressFor({ state, nonce, verifier }: SignInRequest): Promise<string> {
      const { configuration } = await discover()
      const address = client.buildAuthorizationUrl(configuration, {
        redirect_uri: settings.redirect_uri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return address.href
    },

    /**
     * The claims about the returning user.
     * @param search the query with which the browser returned, whole: services add parameters that must be checked,
     *   such as `iss` (RFC 9207)
     * @throws Refusal when the service or its answer cannot be trusted
     */
    async redeem(search: string, { state, nonce, verifier }: SignInRequest): Promise<PersonClaims> {
      const service = await discover()
      const callback = new URL(settings.redirect_uri)
      callback.search = search
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
      try {
        const tokens = await client.authorizationCodeGrant(service.configuration, callback, checks)
        await compactVerify(tokens.id_token!, service.keys)
        return await completeClaims(service, tokens.claims()!, tokens.access_token)
      } catch (error) {
        throw explain(error)
      }
    },
  }
}

/**
 * Some services send the e-mail address with the ID token, others only on request. The address and whether it is
 * verified are always taken from the same answer.
 */
async function completeClaims(
  { configuration }: Service,
  claims: client.IDToken,
  access_token: string,
): Promise<PersonClaims> {
  const isComplete = claims.email !== undefined && claims.email_verified !== undefined
  if (isComplete || !configuration.serverMetadata().userinfo_endpoint) return claims
  const { email, email_verified, name } = await client.fetchUserInfo(configuration, access_token, claims.sub)
  return { sub: claims.sub, email, email_verified, name: claims.name ?? name }
}

export type Provider = ReturnType<typeof createProvider>

async function findService({ issuer, client_id, client_secret }: OidcSettings, outbound: Outbound): Promise<Service> {
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
      execute: [client.allowInsecureRequests],
    },
  )
  const { issuer: announced, jwks_uri } = configuration.serverMetadata()
  if (withoutSlash(announced) !== root || !jwks_uri) {
    throw new Refusal(
      502,
      'The issuer of the sign-in service is not that of OIDC_ISSUER. Ask the operator of this server to check it.',
      'untrusted',
    )
  }
  const keys = createRemoteJWKSet(new URL(jwks_uri), {
    cooldownDuration: KEYS_COOLDOWN_MS,
    [customFetch]: (url) =>
      fetchThrough(outbound)(url, { method: 'GET', headers: {}, body: undefined, redirect: 'manual' }),
  })
  return { configuration, keys }
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

const CLIENT_ERRORS = ['invalid_client', 'unauthorized_client']

/** The reason for the person who signs in: not reachable, not set up correctly, too late, or not trusted. */
function explain(error: unknown): unknown {
  if (error instanceof Refusal) return error
  if (isUnreachable(error)) return UNREACHABLE
  if (error instanceof client.WWWAuthenticateChallengeError) return MISCONFIGURED
  if (error instanceof client.ResponseBodyError) {
    if (error.status >= 500) return UNREACHABLE
    return CLIENT_ERRORS.includes(error.error) ? MISCONFIGURED : TOO_LATE
  }
  if (error instanceof client.ClientError || error instanceof errors.JOSEError) return UNTRUSTED
  return error
}

/** The library wraps what happens to its requests. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof OutboundFailed || error instanceof errors.JWKSTimeout) return true
  if (!(error instanceof client.ClientError)) return false
  return error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || error.cause instanceof OutboundFailed
}

const UNREACHABLE = new Refusal(502, 'The sign-in service cannot be reached. Try again in a moment.', 'unreachable')
const UNTRUSTED = new Refusal(502, 'The response of the sign-in service could not be verified.', 'untrusted')
const TOO_LATE = new Refusal(400, 'This sign-in took too long. Try again.', 'too_late')
const MISCONFIGURED = new Refusal(
  502,
  'The sign-in service does not accept this server. Its operator needs to check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
  'misconfigured',
)
