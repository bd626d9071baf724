import { google } from '#contract/integrations/google.ts'
import type { Context } from '../../context.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { describe, disconnectGoogle, findGoogle, getGoogle } from './authorization.ts'
import { findGmail, findPersonalGmail } from './client.ts'
import { emailOf } from './gmail-connect.ts'
import { sendGmail } from './gmail-send.ts'
import { consentOfOldClients, finishOfOldClients } from './old-clients.ts'
import { saveSheetsSettings } from './sheets-settings.ts'

export function registerGoogleRoutes(routes: Routes, context: Context) {
  routes.route(google.auth, async ({ caller, query }) => ({ data: await consentOfOldClients(context, caller, query) }))
  routes.route(google.oauth, async ({ caller, query }) => ({ data: await finishOfOldClients(context, caller, query) }))
  routes.route(google.get, async ({ caller, query }) => ({ data: await findGoogle(context, caller, query) }))
  routes.route(google.saveSettings, async ({ caller, params, body }) => {
    await saveSheetsSettings(context, caller, params.id, body.settings)
    return { data: await describe(context, await getGoogle(context, caller.account_id, params.id)) }
  })
  routes.route(google.remove, ({ caller, params }) => disconnectGoogle(context, caller, params.id))
  routes.route(google.profile, async ({ caller, query }) => {
    const connection =
      query.type === 'personal'
        ? await findPersonalGmail(context, caller.account_id, caller.user_id)
        : await findGmail(context, caller.account_id, query.inbox_id)
    return connection ? { ok: true, data: { email: emailOf(connection) } } : { ok: false, data: null }
  })
  routes.route(google.send, async ({ caller, body }) => ({
    ok: true,
    data: await sendGmail(context, caller.account_id, body),
  }))
  routes.route(google.subscribe, () => ({ ok: false, error: 'Parley sends no newsletters.' }))
}
