import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { Forbidden, Unacceptable } from '../../errors.ts'
import { findApp, returnUrl } from '../../features/connections/authorizations/apps.ts'
import { findConnected } from '../../features/connections/authorizations/authorizations.ts'
import type { OAuthCredentials } from '../../features/connections/authorizations/fresh-token.ts'
import { recordFailure } from '../../features/connections/authorizations/health.ts'
import { callVendor, TokenRefused, type VendorCall } from '../../features/connections/authorizations/vendor-call.ts'
import type { ConnectedAuthorization } from '../../integration.ts'
import type { OAuthApp } from '../../platform/oauth/oauth.ts'

export type IntercomAuthorization = ConnectedAuthorization<OAuthCredentials, IntercomSettings>

/** Details of the connection. */
export interface IntercomSettings {
  workspace_id: string | null
  /** The API address of the workspace's region. */
  api_url: string
  app_url: string
}

/** Pins the API version, so that responses keep their shape. */
const VERSION = '2.15'
const USUAL_API = 'https://api.intercom.io'

/** The app that asks for consent at Intercom. @throws Unacceptable if none is set up */
export async function intercomApp(context: Context, account_id: string): Promise<OAuthApp> {
  const app = await findApp(context, account_id, 'intercom')
  if (!app) throw new Unacceptable('Enter the Intercom app first, or connect with an access token.')
  const { intercomUrl, intercomApiUrl } = context.config
  return {
    ...app,
    vendor: 'Intercom',
    authorize_url: `${intercomUrl}/oauth`,
    token_url: `${intercomApiUrl}/auth/eagle/token`,
    redirect_uri: returnUrl(context, 'intercom'),
  }
}

/** The regions of workspaces: each API only serves its own. */
export function regionsOf({ config }: Pick<Context, 'config'>): Pick<IntercomSettings, 'api_url' | 'app_url'>[] {
  const { intercomApiUrl: api_url, intercomUrl: app_url } = config
  const others = api_url === USUAL_API ? ['eu', 'au'] : []
  return [
    { api_url, app_url },
    ...others.map((region) => ({
      api_url: `https://api.${region}.intercom.io`,
      app_url: `https://app.${region}.intercom.com`,
    })),
  ]
}

/** The account's Intercom connection. @throws Forbidden in the words that existing clients know */
export async function neededIntercom(context: Context, account_id: string): Promise<IntercomAuthorization> {
  const key = { integration: 'intercom' as const, inbox_id: null }
  const authorization = await findConnected<IntercomAuthorization>(context, account_id, key)
  if (!authorization) throw new Forbidden('Missing Intercom authorization!')
  return authorization
}

type Call = Pick<VendorCall, 'method' | 'json'> & { path: string }

/** Calls Intercom's API with a token. */
export function callIntercom({ outbound }: Context, api_url: string, token: string, { path, ...call }: Call) {
  const headers = { 'intercom-version': VERSION }
  return callVendor(outbound, { ...call, vendor: 'Intercom', url: `${api_url}${path}`, token, headers })
}

/**
 * Calls Intercom for an account and parses the response. Its tokens do not expire, so a refused one was revoked.
 * @throws RetryLater, PermanentFailure, ConnectionRevoked, or OutboundFailed
 */
export async function requestIntercom<S extends z.ZodMiniType>(
  context: Context,
  authorization: IntercomAuthorization,
  call: Call,
  schema: S,
): Promise<z.output<S>> {
  const { api_url } = authorization.settings
  try {
    const { body } = await callIntercom(context, api_url, authorization.credentials.access_token, call)
    return z.parse(schema, body)
  } catch (error) {
    if (error instanceof TokenRefused) await recordFailure(context, authorization, error)
    throw error
  }
}
