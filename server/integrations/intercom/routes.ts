import { intercom } from '#contract/integrations/intercom.ts'
import type { Context } from '../../context.ts'
import { findAccountAuthorization } from '../../features/connections/authorizations/authorizations.ts'
import { disconnectOne } from '../../features/connections/integrations/disconnect.ts'
import { finishWithoutState } from '../../features/connections/integrations/oauth.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { connectWithToken } from './connect.ts'
import { createContact, findContacts } from './contacts.ts'

export function registerIntercomRoutes(routes: Routes, context: Context) {
  routes.route(intercom.oauth, async ({ caller, query: { code } }) => {
    const returned = { type: 'support' as const, inbox_id: null, code }
    return { data: { ok: true, ...(await finishWithoutState(context, caller, 'intercom', returned)) } }
  })
  routes.route(intercom.connect, async ({ caller, body }) => {
    const { id } = await connectWithToken(context, caller, body.authorization.access_token)
    return { data: { ok: true, id } }
  })
  routes.route(intercom.get, async ({ caller }) => ({
    data: await findAccountAuthorization(context.db, caller.account_id, 'intercom'),
  }))
  routes.route(intercom.remove, ({ caller, params }) => disconnectOne(context, caller, params.id, 'intercom'))
  routes.route(intercom.contacts, async ({ caller, query }) => ({
    data: await findContacts(context, caller.account_id, query),
  }))
  routes.route(intercom.createContact, async ({ caller, body }) => ({
    data: await createContact(context, caller.account_id, body),
  }))
}
