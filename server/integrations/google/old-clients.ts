import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import type { OAuthType } from '#contract/connections/oauth.ts'
import type { Query } from '#contract/endpoint.ts'
import { type GoogleClient, google } from '#contract/integrations/google.ts'
import { isId } from '#contract/wire.ts'
import type { Context } from '../../context.ts'
import { Forbidden } from '../../errors.ts'
import { finishWithoutState } from '../../features/connections/integrations/oauth.ts'
import type { User } from '../../platform/caller.ts'
import { consentUrl } from '../../platform/oauth/oauth.ts'
import { describeGoogleApp, googleApp } from './client.ts'

/** Redirects to the consent page for clients with a state of their own, and without verifier. */
export async function consentOfOldClients(
  context: Context,
  caller: User,
  { client, type = client === 'sheets' ? 'sheets' : 'support', inbox_id, state }: Query<typeof google.auth>,
): Promise<{ url: string }> {
  assertAdmin(caller, type)
  const { has_pkce: _, ...app } = await googleApp(context, caller.account_id, client)
  const clientState = state ?? (inbox_id ? `${type}:${inbox_id}` : type)
  return { url: consentUrl(app, { state: clientState, verifier: '' }) }
}

/**
 * The address to which published dashboards send the browser to connect Google. They bring no session, so only the
 * operator's app can be used; without one the browser gets to the page that explains what to enter.
 */
export function openOldConsentPage(app: FastifyInstance, { config }: Context) {
  app.get<{ Querystring: unknown }>('/google/auth', (request, reply) => {
    const { success, data: query } = z.safeParse(google.auth.query, request.query)
    const { googleClientId: client_id, googleClientSecret: client_secret, baseUrl } = config
    if (!success || !client_id || !client_secret) return reply.redirect(`${baseUrl}/integrations/google`, 302)
    const { client, type = client === 'sheets' ? 'sheets' : 'support', inbox_id } = query
    const { has_pkce: _, ...service } = describeGoogleApp({ config }, { client_id, client_secret }, client)
    const state = query.state ?? (inbox_id ? `${type}:${inbox_id}` : type)
    return reply.redirect(consentUrl(service, { state, verifier: '' }), 302)
  })
}

/** Connects with the redirect's parameters from such a client. Its state names the product, and possibly the inbox. */
export async function finishOfOldClients(
  context: Context,
  caller: User,
  { code, state = '', scope = '', inbox_id }: Query<typeof google.oauth>,
): Promise<{ ok: boolean }> {
  const [type = '', inbox = ''] = state.split(':')
  const client: GoogleClient = scope.includes('spreadsheets') || type === 'sheets' ? 'sheets' : 'gmail'
  assertAdmin(caller, type)
  const oauthType: OAuthType = client === 'gmail' && type === 'personal' ? 'personal' : 'support'
  await finishWithoutState(context, caller, client === 'gmail' ? 'gmail' : 'google_sheets', {
    type: oauthType,
    inbox_id: inbox_id ?? (isId(inbox) ? inbox : null),
    code,
    scope,
  })
  return { ok: true }
}

function assertAdmin({ role }: User, type: string): void {
  if (role === 'admin' || type === 'personal') return
  throw new Forbidden('Only admins may connect integrations for the whole team.')
}
