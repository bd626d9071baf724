import * as z from 'zod/mini'
import type { GithubSettings } from '#contract/integrations/github.ts'
import { type Context, perServer } from '../../context.ts'
import { findConnected } from '../../features/connections/authorizations/authorizations.ts'
import { recordFailure, recordRepaired } from '../../features/connections/authorizations/health.ts'
import {
  callVendor,
  NoTokenGiven,
  TokenRefused,
  type VendorAnswer,
  type VendorCall,
  VendorRefused,
} from '../../features/connections/authorizations/vendor-call.ts'
import { wakeSender } from '../../features/connections/deliveries/sender.ts'
import { type ConnectedAuthorization, ConnectionRevoked } from '../../integration.ts'
import { OutboundFailed } from '../../platform/outbound/outbound.ts'
import { appToken, type GithubApp } from './app.ts'

/** Through an installed app, whose tokens last an hour, or with a personal token. */
export type GithubCredentials =
  | { kind: 'app'; app: Pick<GithubApp, 'app_id' | 'private_key'>; installation_id: string }
  | { kind: 'token'; access_token: string }

/** How far changes of issues were read. */
export interface GithubCursor {
  polled_at?: string
  /** How far each repository was read. */
  repositories?: Record<string, { since: string; etag?: string | undefined }>
}

export type GithubConnection = ConnectedAuthorization<GithubCredentials, Partial<GithubSettings>, GithubCursor>

const HEADERS = {
  accept: 'application/vnd.github+json',
  'x-github-api-version': '2022-11-28',
  'user-agent': 'Parley',
}

type Call = Pick<VendorCall, 'method' | 'json'> & { path: string; etag?: string | undefined }

/** Calls GitHub's API with or without a token. Follows redirects of moved repositories. */
export async function callGithub(
  { outbound, config }: Context,
  token: string | undefined,
  { path, etag, ...call }: Call,
): Promise<VendorAnswer> {
  try {
    return await callVendor(outbound, {
      ...call,
      vendor: 'GitHub',
      url: `${config.githubApiUrl}${path}`,
      ...(token && { token }),
      headers: { ...HEADERS, ...(etag && { 'if-none-match': etag }) },
      redirects: call.method === undefined ? 3 : 0,
      max_bytes: 5_000_000,
    })
  } catch (error) {
    const isSuspended = error instanceof VendorRefused && error.status === 403 && /suspended/i.test(error.message)
    throw isSuspended ? new TokenRefused(SUSPENDED) : error
  }
}

const SUSPENDED =
  'The app is suspended on GitHub. Unsuspend it there under Settings → Applications → Configure, then test the connection here.'

/** The account's GitHub connection, if there is one. */
export function findGithub(context: Context, account_id: string): Promise<GithubConnection | undefined> {
  return findConnected<GithubConnection>(context, account_id, { integration: 'github', inbox_id: null })
}

/**
 * Calls GitHub for an account. A revoked grant marks the connection as broken.
 * @throws RetryLater, PermanentFailure, ConnectionRevoked, or OutboundFailed
 */
export async function requestGithub(context: Context, connection: GithubConnection, call: Call): Promise<VendorAnswer> {
  try {
    return await callGithub(context, await tokenOf(context, connection), call)
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error
    // An installation token may become invalid early; if a new one is refused as well, the grant was revoked.
    tokensOf(context).delete(connection.id)
    try {
      return await callGithub(context, await tokenOf(context, connection), call)
    } catch (again) {
      if (again instanceof ConnectionRevoked) await recordFailure(context, connection, again)
      throw again
    }
  }
}

/** The same, with the response parsed. */
export async function readGithub<S extends z.ZodMiniType>(
  context: Context,
  connection: GithubConnection,
  call: Call,
  schema: S,
): Promise<z.output<S>> {
  return z.parse(schema, (await requestGithub(context, connection, call)).body)
}

interface CachedToken {
  token: string
  until: number
}

/** Tokens of installations. They last an hour, and each server gets its own. */
const tokensOf = perServer(() => new Map<string, CachedToken>())
const SPARE_MS = 5 * 60_000
const InstallationToken = z.object({ token: z.string(), expires_at: z.string() })

async function tokenOf(context: Context, { id, credentials }: GithubConnection): Promise<string> {
  if (credentials.kind === 'token') return credentials.access_token
  const cached = tokensOf(context).get(id)
  if (cached && cached.until > Date.now() + SPARE_MS) return cached.token
  const { app, installation_id } = credentials
  const path = `/app/installations/${encodeURIComponent(installation_id)}/access_tokens`
  try {
    const { body } = await callGithub(context, await appToken(app), { method: 'POST', path, json: {} })
    const { token, expires_at } = z.parse(InstallationToken, body)
    tokensOf(context).set(id, { token, until: Date.parse(expires_at) })
    return token
  } catch (error) {
    if (error instanceof OutboundFailed) throw new NoTokenGiven(error.message)
    const isMissing = error instanceof VendorRefused && (error.status === 404 || error.status === 403)
    throw isMissing ? new TokenRefused('The app is no longer installed on GitHub. Connect it again.') : error
  }
}

/**
 * Checks the grant with a new token. A broken connection works again if it succeeds: the app was suspended, and no
 * longer is.
 * @throws RetryLater, PermanentFailure, ConnectionRevoked, or OutboundFailed
 */
export async function checkGrant(context: Context, connection: GithubConnection): Promise<{ wasBroken: boolean }> {
  tokensOf(context).delete(connection.id)
  const path = connection.credentials.kind === 'app' ? '/installation/repositories?per_page=1' : '/user'
  await requestGithub(context, connection, { path })
  const wasBroken = await context.change((tx) => recordRepaired(tx, connection))
  if (wasBroken) wakeSender(context)
  return { wasBroken }
}
