import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { Forbidden, Unacceptable } from '../../errors.ts'
import { findApp, returnUrl } from '../../features/connections/authorizations/apps.ts'
import { findConnected } from '../../features/connections/authorizations/authorizations.ts'
import { type OAuthCredentials, withFreshToken } from '../../features/connections/authorizations/fresh-token.ts'
import { callVendor, type VendorCall } from '../../features/connections/authorizations/vendor-call.ts'
import type { ConnectedAuthorization } from '../../integration.ts'
import type { OAuthApp } from '../../platform/oauth/oauth.ts'

export type HubspotAuthorization = ConnectedAuthorization<OAuthCredentials, { portal_id?: number | null }>

/** Access tokens last half an hour; they are renewed this long before. */
const RENEWED_MS = 10 * 60_000

/** The app that asks for consent at HubSpot. @throws Unacceptable if none is set up */
export async function hubspotApp(context: Context, account_id: string): Promise<OAuthApp> {
  const app = await findApp(context, account_id, 'hubspot')
  if (!app) throw new Unacceptable('Enter the HubSpot app first, or connect with a service key.')
  const { hubspotUrl, hubspotApiUrl } = context.config
  return {
    ...app,
    vendor: 'HubSpot',
    authorize_url: `${hubspotUrl}/oauth/authorize`,
    token_url: `${hubspotApiUrl}/oauth/2026-03/token`,
    revoke_url: `${hubspotApiUrl}/oauth/2026-03/token/revoke`,
    redirect_uri: returnUrl(context, 'hubspot'),
    scope: 'oauth crm.objects.contacts.read crm.objects.contacts.write',
  }
}

/** The account's HubSpot connection. @throws Forbidden in the words that existing clients know */
export async function neededHubspot(context: Context, account_id: string): Promise<HubspotAuthorization> {
  const key = { integration: 'hubspot' as const, inbox_id: null }
  const authorization = await findConnected<HubspotAuthorization>(context, account_id, key)
  if (!authorization) throw new Forbidden('Missing HubSpot authorization!')
  return authorization
}

type Call = Pick<VendorCall, 'method' | 'json'> & { path: string }

/** Calls HubSpot's API with a token. */
export function callHubspot({ outbound, config }: Context, token: string, { path, ...call }: Call) {
  return callVendor(outbound, { ...call, vendor: 'HubSpot', url: `${config.hubspotApiUrl}${path}`, token })
}

/**
 * Calls HubSpot for an account and parses the response.
 * @throws Refusal with what to do
 */
export async function requestHubspot<S extends z.ZodMiniType>(
  context: Context,
  authorization: HubspotAuthorization,
  call: Call,
  schema: S,
): Promise<z.output<S>> {
  const renewal = { app: () => hubspotApp(context, authorization.account_id), margin_ms: RENEWED_MS }
  const { body } = await withFreshToken(context, authorization, renewal, (token) => callHubspot(context, token, call))
  return z.parse(schema, body)
}
