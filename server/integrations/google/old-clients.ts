import type { Query } from '#contract/endpoint.ts'
import type { GoogleClient, google } from '#contract/google.ts'
import type { OAuthType } from '#contract/oauth.ts'
import { isId } from '#contract/wire.ts'
import type { Context } from '../../context.ts'
import { Forbidden } from '../../errors.ts'
import { finishWithoutState } from '../../features/integrations/oauth.ts'
import type { User } from '../../platform/caller.ts'
import { consentUrl } from '../../platform/oauth/oauth.ts'
import { googleApp } from './client.ts'

/** Redirects to the consent page for clients with a state of their own, and without verifier. */
export async function consentOfOldClients(
  context: Context,
  caller: User,
  { client, type = client === 'sheets' ? 'sheets' : 'support', inbox_id, state }: Query<typeof google.auth>,
): Promise<{ url: string }> {
  refuseMembers(caller, type)
  const { has_pkce: _, ...app } = await googleApp(context, caller.account_id, client)
  const clientState = state ?? (inbox_id ? `${type}:${inbox_id}` : type)
  return { url: consentUrl(app, { state: clientState, verifier: '' }) }
}

/** Connects with the redirect's parameters from such a client. Its state names the product, and possibly the inbox. */
export async function finishOfOldClients(
  context: Context,
  caller: User,
  { code, state = '', scope = '', inbox_id }: Query<typeof google.oauth>,
): Promise<{ ok: boolean }> {
  const [type = '', inbox = ''] = state.split(':')
  const client: GoogleClient = scope.includes('spreadsheets') || type === 'sheets' ? 'sheets' : 'gmail'
  refuseMembers(caller, type)
  const oauthType: OAuthType = client === 'gmail' && type === 'personal' ? 'personal' : 'support'
  await finishWithoutState(context, caller, client === 'gmail' ? 'gmail' : 'google_sheets', {
    type: oauthType,
    inbox_id: inbox_id ?? (isId(inbox) ? inbox : null),
    code,
    scope,
  })
  return { ok: true }
}

function refuseMembers({ role }: User, type: string): void {
  if (role === 'admin' || type === 'personal') return
  throw new Forbidden('Only admins may connect integrations for the whole team.')
}
