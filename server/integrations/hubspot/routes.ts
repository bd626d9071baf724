import { hubspot } from '#contract/integrations/hubspot.ts'
import type { Context } from '../../context.ts'
import { findAccountAuthorization } from '../../features/connections/authorizations/authorizations.ts'
import { disconnectOne } from '../../features/connections/integrations/disconnect.ts'
import { finishWithoutState } from '../../features/connections/integrations/oauth.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { connectWithKey } from './connect.ts'
import { createContact, findContacts } from './contacts.ts'

export function registerHubspotRoutes(routes: Routes, context: Context) {
  routes.route(hubspot.oauth, async ({ caller, query: { code } }) => {
    const returned = { type: 'support' as const, inbox_id: null, code }
    return { data: { ok: true, ...(await finishWithoutState(context, caller, 'hubspot', returned)) } }
  })
  routes.route(hubspot.connect, async ({ caller, body }) => {
    const { id } = await connectWithKey(context, caller, body.authorization.access_token)
    return { data: { ok: true, id } }
  })
  routes.route(hubspot.get, async ({ caller }) => ({
    data: await findAccountAuthorization(context.db, caller.account_id, 'hubspot'),
  }))
  routes.route(hubspot.remove, ({ caller, params }) => disconnectOne(context, caller, params.id, 'hubspot'))
  routes.route(hubspot.contacts, async ({ caller, query }) => ({
    data: await findContacts(context, caller.account_id, query),
  }))
  routes.route(hubspot.createContact, async ({ caller, body }) => ({
    data: await createContact(context, caller.account_id, body),
  }))
}
