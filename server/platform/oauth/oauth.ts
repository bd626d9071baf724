import { createHash } from 'node:crypto'
import type { Outbound, OutboundResponse } from '../outbound/outbound.ts'
import { OutboundFailed } from '../outbound/outbound.ts'

/**
 * An app at a vendor that asks people for consent (OAuth 2.0, authorization code). Its addresses are operator's
 * settings.
 */
export interface OAuthApp {
  /** The vendor's name as shown to people. */
  vendor: string
  client_id: string
  client_secret: string
  authorize_url: string
  token_url: string
  revoke_url?: string
  /** The redirect address, which is registered at the vendor. */
  redirect_uri: string
  scope?: string
  /** Further parameters of the consent page. */
  parameters?: Record<string, string>
  /** Whether the vendor supports PKCE: a stolen code is useless without the verifier, which never leaves the server. */
  has_pkce?: boolean
}

/** Tokens with their expiry. */
export interface Tokens {
  access_token: string
  /** Null if access does not expire, or the vendor returned no new one. */
  refresh_token: string | null
  /** Milliseconds since 1970; null if access does not expire. */
  expires_at: number | null
  scope: string | null
  token_type: string | null
  /** The whole response, for vendors' additional fields: a workspace, a channel. */
  answer: Record<string, unknown>
}

/** The vendor refuses the code or the grant. Retrying does not help; a person has to consent again. */
export class OAuthRefused extends Error {
  /** The vendor's error code, such as `invalid_grant`. */
  readonly code: string
  constructor(vendor: string, code: string, description: string) {
    super(`${vendor} refused it: ${description.replace(/[.!]*$/, '.')}`)
    this.code = code
  }
}

/** The address of the consent page. */
export function consentUrl(app: OAuthApp, { state, verifier }: { state: string; verifier: string }): string {
  const url = new URL(app.authorize_url)
  const parameters = {
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: app.redirect_uri,
    ...(app.scope && { scope: app.scope }),
    ...app.parameters,
    ...(app.has_pkce && { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }),
    state,
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/**
 * Exchanges a code for tokens.
 * @throws OAuthRefused for a wrong, expired or used code; OutboundFailed if the vendor does not answer properly
 */
export function exchangeCode(
  outbound: Outbound,
  app: OAuthApp,
  { code, verifier }: { code: string; verifier?: string | undefined },
): Promise<Tokens> {
  return requestTokens(outbound, app, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: app.redirect_uri,
    ...(app.has_pkce && verifier && { code_verifier: verifier }),
  })
}

/**
 * Requests a new access token. Some vendors also return a new refresh token and invalidate the old one.
 * @throws OAuthRefused if the grant was revoked or has expired; OutboundFailed if the vendor does not answer properly
 */
export function refreshTokens(outbound: Outbound, app: OAuthApp, refresh_token: string): Promise<Tokens> {
  return requestTokens(outbound, app, { grant_type: 'refresh_token', refresh_token })
}

/** Revokes a grant at the vendor. @throws OutboundFailed */
export async function revokeToken(outbound: Outbound, app: OAuthApp, token: string): Promise<void> {
  const { revoke_url, client_id, client_secret } = app
  if (!revoke_url) return
  await outbound.request(revoke_url, {
    method: 'POST',
    headers: FORM,
    body: new URLSearchParams({ token, client_id, client_secret }).toString(),
    may_be_private: true,
  })
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }

async function requestTokens(outbound: Outbound, app: OAuthApp, fields: Record<string, string>): Promise<Tokens> {
  const { client_id, client_secret, vendor } = app
  const response = await outbound.request(app.token_url, {
    method: 'POST',
    headers: FORM,
    body: new URLSearchParams({ ...fields, client_id, client_secret }).toString(),
    may_be_private: true,
  })
  const answer = readJson(response)
  // GitHub and Slack report errors with status 200.
  const refusal = response.ok && typeof answer?.error !== 'string' ? undefined : answer
  if (response.status === 429 || response.status >= 500 || !answer) {
    throw new OutboundFailed(`${vendor} returned an unexpected response (${response.status}). Try again in a minute.`)
  }
  if (refusal) throw new OAuthRefused(vendor, ...readRefusal(refusal, response.status))
  return readTokens(vendor, answer)
}

function readJson({ bytes }: OutboundResponse): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** The vendor's error code and message. HubSpot names them `status` and `message`, Intercom sends a list. */
function readRefusal(answer: Record<string, unknown>, status: number): [string, string] {
  const [first] = Array.isArray(answer.errors) ? (answer.errors as Record<string, unknown>[]) : []
  const code = textOf(answer.error) ?? textOf(answer.status) ?? textOf(first?.code) ?? `status ${status}`
  const description = textOf(answer.error_description) ?? textOf(answer.message) ?? textOf(first?.message) ?? code
  return [code, description.slice(0, 300)]
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function readTokens(vendor: string, answer: Record<string, unknown>): Tokens {
  // Intercom also names it `token`.
  const access_token = textOf(answer.access_token) ?? textOf(answer.token)
  if (!access_token) throw new OutboundFailed(`${vendor} sent no access token. Try again in a minute.`)
  const seconds = Number(answer.expires_in)
  return {
    access_token,
    refresh_token: textOf(answer.refresh_token) ?? null,
    expires_at: seconds > 0 ? Date.now() + seconds * 1000 : null,
    scope: textOf(answer.scope) ?? null,
    token_type: textOf(answer.token_type) ?? null,
    answer,
  }
}
