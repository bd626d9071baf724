import * as z from 'zod/mini'
import type { Authorization } from '#contract/connections/integrations.ts'
import type { Context } from '../../context.ts'
import { Unacceptable } from '../../errors.ts'
import { assertSwitchedOn, connectAuthorization } from '../../features/connections/authorizations/connect.ts'
import type { OAuthCredentials } from '../../features/connections/authorizations/fresh-token.ts'
import { runForCaller } from '../../features/connections/authorizations/vendor-call.ts'
import type { Consent } from '../../integration.ts'
import type { User } from '../../platform/caller.ts'
import { consentUrl, exchangeCode } from '../../platform/oauth/oauth.ts'
import { callHubspot, hubspotApp } from './client.ts'

/** Through HubSpot's consent page. */
export const hubspotConsent: Consent = {
  begin: async (context, { account_id }, start) => consentUrl(await hubspotApp(context, account_id), start),
  async finish(context, caller, { code, verifier }) {
    if (!code) throw new Unacceptable('HubSpot returned no code. Start again.')
    const app = await hubspotApp(context, caller.account_id)
    const tokens = await exchangeCode(context.outbound, app, { code, verifier })
    const { access_token, refresh_token, expires_at, scope, token_type, answer } = tokens
    return connect(context, caller, {
      credentials: { access_token, refresh_token, expires_at },
      scope: scope ?? app.scope ?? null,
      token_type,
      portal_id: portalIdOf(answer.hub_id),
    })
  },
}

/** With a service key. @throws Refusal if HubSpot refuses it */
export async function connectWithKey(context: Context, caller: User, access_token: string): Promise<Authorization> {
  assertSwitchedOn(context)
  const credentials = { access_token, refresh_token: null, expires_at: null }
  const grant = { credentials, scope: null, token_type: 'bearer', portal_id: undefined }
  return runForCaller(() => connect(context, caller, grant))
}

interface Grant {
  credentials: OAuthCredentials
  scope: string | null
  token_type: string | null
  portal_id: string | undefined
}

/** Tests the credentials before they are stored. */
async function connect(context: Context, caller: User, { credentials, portal_id, ...grant }: Grant) {
  await callHubspot(context, credentials.access_token, { path: '/crm/v3/objects/contacts?limit=1' })
  const portal = portal_id ?? (await readPortal(context, credentials.access_token))
  return context.change((tx) =>
    connectAuthorization(context, tx, caller, {
      ...grant,
      integration: 'hubspot',
      inbox_id: null,
      label: portal ? `HubSpot ${portal}` : 'HubSpot',
      settings: { portal_id: portal ?? null },
      credentials,
    }),
  )
}

/**
 * The portal id, which is part of contacts' addresses. A key without permission to read it can still find and add
 * contacts.
 */
async function readPortal(context: Context, token: string): Promise<string | undefined> {
  try {
    const { body } = await callHubspot(context, token, { path: '/account-info/v3/details' })
    return portalIdOf(z.parse(z.object({ portalId: z.number() }), body).portalId)
  } catch (error) {
    context.log.info({ err: error }, 'The ID of the HubSpot account could not be read')
    return undefined
  }
}

function portalIdOf(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined
}
