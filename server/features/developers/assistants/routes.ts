import { assistants } from '#contract/developers/assistants.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { describeConsent, giveConsent } from './consent.ts'
import { listGrants, revokeGrant } from './grants.ts'
import { changeAssistantSettings, loadAssistantSettings } from './settings.ts'

export function registerAssistantsRoutes(routes: Routes, context: Context) {
  const { db, change, config } = context
  routes.route(assistants.list, async ({ caller }) => ({ data: await listGrants(db, caller) }))

  routes.route(assistants.revoke, async ({ caller, params }) => {
    await change((tx) => revokeGrant(tx, caller, params.id))
    return null
  })

  routes.route(assistants.settings, async ({ caller }) => ({
    data: await loadAssistantSettings(db, config, caller.account_id),
  }))

  routes.route(assistants.changeSettings, async ({ caller, body }) => ({
    data: await change((tx) => changeAssistantSettings(tx, config, caller, body)),
  }))

  routes.route(assistants.describeConsent, async ({ caller, body }) => ({
    data: await describeConsent(context, caller, body),
  }))

  routes.route(assistants.consent, async ({ caller, body }) => ({
    data: { redirect_to: await giveConsent(context, caller, body) },
  }))
}
